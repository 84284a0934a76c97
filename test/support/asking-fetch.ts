import { type Ask, BASE_URL, freshAddress } from './running/running-service.ts';

/** A fetch whose every request goes to the service of the test, from one address. */
export function fetchOf(ask: Ask): typeof globalThis.fetch {
  const from = freshAddress();
  return async (input, init) => {
    const request = new Request(input, init);
    if (!request.url.startsWith(`${BASE_URL}/`)) throw new TypeError('fetch failed');
    const headers = Object.fromEntries(request.headers);
    const answer = await ask(request.url.slice(BASE_URL.length), { method: request.method, headers, from });
    const fields = ['payment-required', 'payment-response', 'content-type'].flatMap((name) => {
      const value = answer.header(name);
      return value === null ? [] : [[name, value] as [string, string]];
    });
    return new Response(answer.text, { status: answer.status, headers: fields });
  };
}
