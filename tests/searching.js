// What the search of a built site finds: its own script, its own index. Run: node searching.js SITE QUERY...
// Prints for each query the addresses of the first result of each page, best page first, as JSON.
const fs = require("fs");

const [site, ...queries] = process.argv.slice(2);
const folder = `${site}/assets/javascripts/workers/`;
const script = fs.readFileSync(folder + fs.readdirSync(folder).find((name) => name.endsWith(".js")), "utf8");
const index = JSON.parse(fs.readFileSync(`${site}/search/search_index.json`, "utf8"));
let listen;
let answer;
global.self = global;
global.addEventListener = (kind, listener) => (listen = listener);
global.postMessage = (message) => (answer = message.data);
(0, eval)(script);

async function main() {
  const SETUP = 0;
  const QUERY = 2;
  await listen({ data: { type: SETUP, data: { ...index, options: { suggest: false } } } });
  const found = {};
  for (const query of queries) {
    await listen({ data: { type: QUERY, data: query } });
    found[query] = answer.items.map((page) => page[0].location);
  }
  console.log(JSON.stringify(found));
}

main();
