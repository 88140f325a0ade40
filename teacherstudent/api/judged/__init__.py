"""What `teacherstudent.judge` does with somebody's own draws and theory, step by step.

`values` brings arrays, `files` files and functions to the same points, `statistics` compares them,
`judgement` holds what is found and says it in words, `page` as a picture and a report.
"""
