import type { Check } from './check.ts';

const PAYER = (name: string): Check => ({
  level: 'warning',
  needs: 'paywall',
  problem: `${name} would not pay this 402.`,
  fix: 'Change what it stumbles over, so that buyers who use it can pay.',
});

/** The answer, its terms, and what payers and lists make of them. */
export const TERMS_CHECKS = {
  verdict: {
    level: 'error',
    needs: 'outcome',
    problem: 'A check before payment would not approve this endpoint.',
    fix: 'Change what the sentence names.',
  },
  needs_input: {
    level: 'warning',
    needs: 'answer',
    problem: 'The endpoint seems to check its input first: a request without input gets no 402.',
    fix: 'Answer 402 first, and check the input of paid requests. Lists that probe without input do not list you otherwise.',
  },
  wrong_method: {
    level: 'warning',
    needs: 'answer',
    problem: 'The endpoint refuses this method.',
    fix: 'Check it with the method that buyers use (--method), or answer 402 for this one, too.',
  },
  terms_vary: {
    level: 'note',
    needs: 'paywall',
    problem: 'With the input the endpoint asks for another payment than without it.',
    fix: 'Nothing, if the price depends on the input. Lists show the price without it.',
  },
  no_version_2: {
    level: 'warning',
    needs: 'headers',
    problem: 'There are no terms in the header PAYMENT-REQUIRED. Payers of version 2 read nothing else.',
    fix: 'Send the terms as base64-encoded JSON with x402Version 2 in PAYMENT-REQUIRED.',
  },
  no_version_1: {
    level: 'note',
    needs: 'headers',
    problem: 'There are no terms of version 1 in the body. Older payers such as x402-fetch cannot pay.',
    fix: 'Send the same terms in the body, in the form of version 1, if you want such buyers.',
  },
  resource_differs: {
    level: 'warning',
    needs: 'resource',
    problem: 'The terms name another resource than the URL that was requested.',
    fix: 'Name the public URL. Behind a proxy, build it from the public scheme and host.',
  },
  payer_x402_fetch: PAYER('@x402/fetch'),
  payer_x402_axios: PAYER('@x402/axios'),
  payer_x402_fetch_v1: PAYER('x402-fetch'),
  payer_faremeter: PAYER('@faremeter/fetch'),
  payers_differ: {
    level: 'error',
    needs: 'paywall',
    problem: 'Two payers would sign different payments for this 402.',
    fix: 'Ask for one price in USDC and one payee in all entries, in the header and in the body.',
  },
  bazaar_missing: {
    level: 'note',
    needs: 'paywall',
    problem: 'The terms have no extensions.bazaar: discovery lists learn neither input nor output.',
    fix: 'Declare them with the bazaar extension of your x402 server.',
  },
  bazaar_malformed: {
    level: 'warning',
    needs: 'paywall',
    problem: 'extensions.bazaar lacks info.input or schema, or one of them is no object.',
    fix: 'Send both: info with an example call, schema with the JSON Schema of info.',
  },
  bazaar_schema: {
    level: 'warning',
    needs: 'paywall',
    problem: 'The schema of extensions.bazaar cannot be used.',
    fix: 'Use local references only, without loops, and a few levels.',
  },
  bazaar_example: {
    level: 'warning',
    needs: 'paywall',
    problem: 'The example in extensions.bazaar.info does not satisfy its own schema.',
    fix: 'Change the example or the schema. Lists drop an endpoint whose example is invalid.',
  },
  bazaar_method: {
    level: 'warning',
    needs: 'paywall',
    problem: 'extensions.bazaar.info.input names another method than the request.',
    fix: 'Declare the method of the route that answered.',
  },
} as const satisfies Readonly<Record<string, Check>>;
