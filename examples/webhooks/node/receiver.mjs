// Receives webhooks from Waft: checks the signature and the time, and handles each message once.
// It only needs Node.js. The package standardwebhooks verifies signatures in the same way.
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const maxBody = 20_000; // bytes
const tolerance = 5 * 60; // seconds
const secret = process.env.WAFT_WEBHOOK_SECRET ?? "";
if (!secret.startsWith("whsec_")) throw new Error("WAFT_WEBHOOK_SECRET must be the webhook's secret, whsec_…");
const key = Buffer.from(secret.slice("whsec_".length), "base64");

// IDs of handled messages. Store them in a database for a week, in the transaction of the work.
const seen = new Set();

// Signatures are separated by spaces. While a secret is being rotated, there are two.
function verifies(id, timestamp, signatures, body) {
  if (!id || !/^\d+$/.test(timestamp ?? "") || Math.abs(Date.now() / 1000 - Number(timestamp)) > tolerance) return false;
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest();
  return (signatures ?? "").split(" ").some((signature) => {
    const [version, text] = signature.split(",");
    const given = Buffer.from(text ?? "", "base64");
    return version === "v1" && given.length === expected.length && timingSafeEqual(given, expected);
  });
}

function handle(id, message) {
  console.log(`handled ${id} ${message.type} ${message.data.entityId}`);
}

// The signature covers the bytes that were sent, so verify it before parsing them.
async function read(request) {
  const chunks = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > maxBody) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const server = createServer(async (request, response) => {
  const end = (status) => response.writeHead(status).end();
  try {
    if (request.method !== "POST" || request.url !== "/hooks/waft") return end(404);
    const body = await read(request);
    if (!body) return end(413);
    const id = request.headers["webhook-id"];
    if (!verifies(id, request.headers["webhook-timestamp"], request.headers["webhook-signature"], body)) return end(401);
    if (!seen.has(id)) {
      handle(id, JSON.parse(body.toString("utf8")));
      seen.add(id);
    }
    end(204);
  } catch (error) {
    console.error(error);
    end(500); // Waft sends it again
  }
});
const [host, port] = (process.env.ADDRESS ?? "127.0.0.1:3000").split(":");
server.listen(Number(port), host, () => console.log(`listening on http://${host}:${server.address().port}/hooks/waft`));
