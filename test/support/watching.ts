import { afterEach, beforeEach } from 'vitest';
import { createSendWebhook } from '../../src/adapters/probe/send-webhook.ts';
import type { Store } from '../../src/adapters/store/store.ts';
import { createWatchRound } from '../../src/main/serve/watch-rounds.ts';
import { checkOf } from './asking.ts';
import { certificate, type FakeSeller, httpAnswer, type Script, startSeller } from './probing/fake-seller.ts';
import { gateTo } from './probing/gated-fetching.ts';
import { scriptedSeller } from './probing/scripted-seller.ts';
import { BASE_URL, SECRET, startService, type TestService } from './running/running-service.ts';
import { anOwner, publishing } from './signing-seller.ts';

export const URL_WATCHED = 'http://owned.example/changing';
/** The certificate of the tests is for this name. */
export const HOOK = 'https://seller.example.net/hook?for=assay';

export const bodyOf = (request: string) => request.slice(request.indexOf('\r\n\r\n') + 4);

type Parts = ReturnType<typeof gateTo>['parts'];

/** A service, a real receiver behind TLS, and rounds of the background job when the test says so. */
export function useWatching() {
  const owner = anOwner();
  let service: TestService;
  let receiver: FakeSeller;
  const watching = {
    /** What the watched endpoint does at the moment. */
    path: '/honest',
    /** What the receiver does at the moment. */
    hook: received,
    get service() {
      return service;
    },
    get receiver() {
      return receiver;
    },
    send: async (statement: object) => {
      const at = service.clock.now.toISOString();
      return service.ask('/v1/sellers', owner.request({ url: URL_WATCHED, at, ...statement }));
    },
    pass: (minutes: number) => {
      service.clock.now = new Date(service.clock.now.getTime() + minutes * 60_000);
    },
    check: async () => (await service.ask(checkOf(URL_WATCHED))).json.receipt_url,
    changed: async () => {
      watching.pass(10);
      watching.path = '/dear';
      return watching.check();
    },
    /** What is due by the clock of the store, is due now. */
    hurry: async () => {
      await service.place.ask('update watches set look_at = 0');
      await service.place.ask('update webhook_events set due_at = 0');
    },
    gate: (addresses?: string[]) =>
      gateTo(receiver.port, {
        authorities: [certificate('ca')],
        timeoutMs: 2_000,
        ...(addresses === undefined
          ? {}
          : { resolve: async () => ({ kind: 'addresses', addresses }) as const }),
      }),
    roundOf: (store: Store, parts: Parts = watching.gate().parts) =>
      createWatchRound({
        store,
        policy: parts.policy,
        secret: SECRET,
        now: () => service.clock.now,
        sendWebhook: createSendWebhook(parts),
        baseUrl: BASE_URL,
      }),
    round: async (parts?: Parts) => {
      await watching.hurry();
      return watching.roundOf(service.store, parts)();
    },
  };
  const changing: Script = (socket, request) =>
    scriptedSeller(socket, request.replace('/changing', watching.path));

  beforeEach(async () => {
    watching.path = '/honest';
    watching.hook = received;
    service = await startService({ seller: publishing([owner.token], changing) });
    receiver = await startSeller((socket, request) => watching.hook(socket, request), 'seller');
  });
  afterEach(async () => {
    await service.close();
    await receiver.close();
  });
  return watching;
}

const received: Script = (socket) => void socket.end(httpAnswer(204, []));
