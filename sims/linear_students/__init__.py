"""Students that are linear in features, or sums of a kernel, by descent or ridge regression.

A kit that knows no system: systems draw training sets (`forms.TrainingSets`) and measure what students do.
"""
