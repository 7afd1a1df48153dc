// Evaluates flags with the built package. Each line of the input is {"provider": "server" | "web", "options": {…}} or
// {"context": {…}, "flags": {"key": "boolean" | "string" | "number" | "json"}}. Each result is a line of the output with the
// status of the provider. If the provider fails, the line has its error. Each event is a line {"event": …, "flagsChanged": […]}.
import { createInterface } from 'node:readline';
import * as server from '@openfeature/server-sdk';
import { WaftServerProvider } from '@waft/openfeature/server';
import { WaftWebProvider } from '@waft/openfeature/web';
import * as web from '@openfeature/web-sdk';

const say = (line) => { console.log(JSON.stringify(line)); };
const details = { boolean: ['Boolean', false], string: ['String', ''], number: ['Number', 0], json: ['Object', {}] };
let sdk;
let flags;

async function start(provider, options) {
  sdk = provider === 'web' ? web : server;
  flags = sdk.OpenFeature.getClient();
  for (const event of Object.values(sdk.ProviderEvents)) {
    if (event === 'PROVIDER_CONTEXT_CHANGED' || event === 'PROVIDER_RECONCILING') continue;
    flags.addHandler(event, ({ flagsChanged }) => { say({ event, flagsChanged }); });
  }
  const made = provider === 'web' ? new WaftWebProvider(options) : new WaftServerProvider(options);
  const error = await sdk.OpenFeature.setProviderAndWait(made).then(() => undefined, ({ message }) => message);
  return { status: flags.providerStatus, error };
}

async function evaluate(context, types) {
  if (sdk === web) await web.OpenFeature.setContext(context);
  const answers = {};
  for (const [key, type] of Object.entries(types)) {
    const [name, byDefault] = details[type];
    const ask = `get${name}Details`;
    const answer = sdk === web ? flags[ask](key, byDefault) : await flags[ask](key, byDefault, context);
    const { value, variant, reason, errorCode } = answer;
    answers[key] = { value, variant, reason, errorCode };
  }
  return { answers, status: flags.providerStatus };
}

for await (const line of createInterface({ input: process.stdin })) {
  const { provider, options, context, flags: types } = JSON.parse(line);
  say(provider ? await start(provider, options) : await evaluate(context, types));
}
await sdk?.OpenFeature.close();
