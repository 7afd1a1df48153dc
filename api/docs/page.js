"use strict";

// Shows openapi.json, which is served next to this page. Everything from the document is
// inserted as text, never as markup.

const methods = ["get", "head", "post", "put", "patch", "delete"];

function element(name, attributes, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) node.setAttribute(key, value);
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

function typeOf(schema, depth) {
  if (!schema) return "";
  if (schema.$ref) return schema.$ref.split("/").pop();
  if (schema.anyOf) return schema.anyOf.map((one) => typeOf(one, depth)).join(" or ");
  if (schema.type === "array") return typeOf(schema.items, depth) + "[]";
  const type = [].concat(schema.type || "any").join(" or ");
  return schema.enum ? type + ": " + schema.enum.join(", ") : type;
}

function rows(entries) {
  const table = element("table");
  for (const [name, type, text] of entries) {
    table.append(element("tr", {}, element("td", {}, element("code", {}, name)),
      element("td", { class: "quiet" }, type), element("td", {}, text || "")));
  }
  return table;
}

function fields(schema, schemas) {
  const target = schema && schema.type === "array" ? schema.items : schema;
  const shape = target && target.$ref ? schemas[target.$ref.split("/").pop()] : target;
  if (!shape || !shape.properties) return null;
  const required = new Set(shape.required || []);
  return rows(Object.entries(shape.properties).map(([name, property]) =>
    [name + (required.has(name) ? "" : "?"), typeOf(property), property.description]));
}

function content(body, schemas) {
  return Object.entries((body && body.content) || {}).flatMap(([media, described]) => {
    const example = described.example;
    return [
      element("p", { class: "quiet" }, media + " " + typeOf(described.schema)),
      fields(described.schema, schemas),
      example === undefined ? null
        : element("pre", {}, typeof example === "string" ? example : JSON.stringify(example, null, 2)),
    ];
  });
}

function operation(path, method, op, schemas) {
  const body = element("div", {}, element("p", { class: "text" }, op.description || ""));
  if (op.parameters) {
    body.append(element("h4", {}, "Parameters"), rows(op.parameters.map((one) =>
      [one.name + (one.required ? "" : "?"), one.in + ", " + typeOf(one.schema), one.description])));
  }
  if (op.requestBody) body.append(element("h4", {}, "Body"), ...content(op.requestBody, schemas).filter(Boolean));
  for (const [status, answer] of Object.entries(op.responses || {})) {
    body.append(element("h4", {}, status + " " + (answer.description || "")));
    if (status < "300") body.append(...content(answer, schemas).filter(Boolean));
  }
  const line = element("summary", {}, element("span", { class: "method " + method }, method.toUpperCase()),
    element("code", {}, path), " ", element("span", { class: "quiet" }, op.summary || ""));
  const node = element("details", { id: op.operationId }, line, body);
  node.words = [path, method, op.summary, op.description, ...(op.tags || [])].join(" ").toLowerCase();
  return node;
}

function show(doc) {
  const schemas = (doc.components && doc.components.schemas) || {};
  document.getElementById("intro").textContent = doc.info.description.replaceAll("`", "");
  const main = document.getElementById("operations");
  for (const tag of doc.tags) {
    const section = element("section", {}, element("h2", {}, tag.name), element("p", {}, tag.description || ""));
    for (const [path, item] of Object.entries(doc.paths)) {
      for (const method of methods) {
        if (item[method] && (item[method].tags || []).includes(tag.name)) {
          section.append(operation(path, method, item[method], schemas));
        }
      }
    }
    main.append(section);
  }
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target) { target.open = true; target.scrollIntoView(); }
}

document.getElementById("search").addEventListener("input", (event) => {
  const wanted = event.target.value.toLowerCase();
  for (const node of document.querySelectorAll("details")) node.hidden = !node.words.includes(wanted);
  for (const section of document.querySelectorAll("section")) {
    section.hidden = !section.querySelector("details:not([hidden])");
  }
});

fetch("openapi.json").then((answer) => answer.json()).then(show).catch((error) => {
  document.getElementById("intro").textContent = "openapi.json cannot be shown: " + error;
});
