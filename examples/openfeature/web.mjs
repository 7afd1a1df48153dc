// Reads flags as a web page does: Waft evaluates all flags for one context, and the SDK keeps them. In a browser, the SDK
// follows changes by an event stream. Node.js 20 does not have EventSource by default, so here the SDK requests the flags
// again every 30 seconds, and gets a 304 if they have not changed.
//
//   WAFT_URL=http://localhost:8080 WAFT_API_KEY=waft_… node web.mjs
//
// The key has the role client, because everyone can read it in a page. Each line of the input sets the context or
// requests a flag. Each result, and each change of flags, is a line of the output.
//
//   {"context": {"targetingKey": "user-42", "plan": "pro"}}
//   {"flag": "new-checkout", "default": false}
import { createInterface } from 'node:readline';
import { OFREPWebProvider } from '@openfeature/ofrep-web-provider';
import { OpenFeature, ProviderEvents } from '@openfeature/web-sdk';

const provider = new OFREPWebProvider({
  baseUrl: process.env.WAFT_URL,
  headers: [
    ['Authorization', `Bearer ${process.env.WAFT_API_KEY}`],
    ['Origin', 'https://shop.example'], // a browser sends the page's origin
  ],
  pollInterval: Number(process.env.POLL_MILLISECONDS ?? 30_000),
  cacheMode: 'disabled', // a browser has localStorage, Node.js does not
});
await OpenFeature.setProviderAndWait(provider);
const flags = OpenFeature.getClient();
flags.addHandler(ProviderEvents.ConfigurationChanged, ({ flagsChanged }) => {
  console.log(JSON.stringify({ changed: flagsChanged }));
});

for await (const line of createInterface({ input: process.stdin })) {
  const { context, flag, default: byDefault } = JSON.parse(line);
  if (context) {
    await OpenFeature.setContext(context);
    console.log(JSON.stringify({ context: OpenFeature.getContext() }));
    continue;
  }
  const evaluate = {
    boolean: () => flags.getBooleanDetails(flag, byDefault),
    string: () => flags.getStringDetails(flag, byDefault),
    number: () => flags.getNumberDetails(flag, byDefault),
    object: () => flags.getObjectDetails(flag, byDefault),
  }[typeof byDefault];
  console.log(JSON.stringify(evaluate()));
}
await OpenFeature.close();
