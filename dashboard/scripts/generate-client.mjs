// Writes src/api/schema.d.ts from the OpenAPI document, without the parts that the dashboard
// does not use: examples, problems (src/api/problem.ts has one type for all), the X-Project
// header (src/api/client.ts sends it with every call) and the endpoints for devices.
import { readFile, writeFile } from "node:fs/promises";
import openapiTS, { astToString } from "openapi-typescript";

const source = new URL("../../client/openapi.json", import.meta.url);
const target = new URL("../src/api/schema.d.ts", import.meta.url);
const document = JSON.parse(await readFile(source, "utf8"));

/** Removes examples from node and everything below it. */
function withoutExamples(node) {
  if (Array.isArray(node)) return node.forEach(withoutExamples);
  if (node === null || typeof node !== "object") return;
  for (const [name, value] of Object.entries(node)) {
    const isExample = (name === "example" || name === "examples") && !("properties" in node && node === value);
    if (isExample) delete node[name];
    else withoutExamples(value);
  }
}

for (const [path, operations] of Object.entries(document.paths)) {
  if (!path.startsWith("/v1/auth/") && !path.startsWith("/v1/ota/") && path !== "/v1/me") {
    delete document.paths[path];
    continue;
  }
  for (const operation of Object.values(operations)) {
    delete operation.description;
    operation.parameters = operation.parameters?.filter(
      (parameter) => !(parameter.in === "header" && parameter.name !== "If-Match" && parameter.name !== "Idempotency-Key"),
    );
    for (const status of Object.keys(operation.responses)) {
      if (Number(status) >= 400 || status === "default") delete operation.responses[status];
      else delete operation.responses[status].headers;
    }
  }
}
for (const schema of Object.values(document.components.schemas)) {
  // Responses may have new fields on the wire. The code reads only fields that it knows.
  if (schema.additionalProperties === true && schema.properties) delete schema.additionalProperties;
}
withoutExamples(document);

const types = astToString(await openapiTS(document, { alphabetize: true, defaultNonNullable: false }));
await writeFile(target, `// Written by \`make generate\` from client/openapi.json.\n\n${types}`);
