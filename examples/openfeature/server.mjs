// Reads flags as a server does: each evaluation sends a request to Waft with its context.
//
//   WAFT_URL=http://localhost:8080 WAFT_API_KEY=waft_… node server.mjs
//
// Each line of the input requests a flag, and each result is a line of the output:
//
//   {"flag": "new-checkout", "default": false, "context": {"targetingKey": "user-42", "plan": "pro"}}
import { createInterface } from 'node:readline';
import { OFREPProvider } from '@openfeature/ofrep-provider';
import { OpenFeature } from '@openfeature/server-sdk';

const provider = new OFREPProvider({
  baseUrl: process.env.WAFT_URL,
  headers: { Authorization: `Bearer ${process.env.WAFT_API_KEY}` },
});
await OpenFeature.setProviderAndWait(provider);
const flags = OpenFeature.getClient();

for await (const line of createInterface({ input: process.stdin })) {
  const { flag, default: byDefault, context } = JSON.parse(line);
  const evaluate = {
    boolean: () => flags.getBooleanDetails(flag, byDefault, context),
    string: () => flags.getStringDetails(flag, byDefault, context),
    number: () => flags.getNumberDetails(flag, byDefault, context),
    object: () => flags.getObjectDetails(flag, byDefault, context),
  }[typeof byDefault];
  console.log(JSON.stringify(await evaluate()));
}
await OpenFeature.close();
