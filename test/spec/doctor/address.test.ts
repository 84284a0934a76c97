import type { Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMetrics } from '../../../src/adapters/system/metrics.ts';
import { certificateVerdict } from '../../../src/main/doctor/certificate-check.ts';
import { listenOn, stopListening } from '../../../src/main/serve/listen.ts';
import { createMetricsServer } from '../../../src/main/serve/metrics-server.ts';
import { serveLoopback } from '../../../src/sandbox/loopback-server.ts';
import { examined } from '../../support/operating/examining.ts';
import { type Certificate, certificate, startSeller } from '../../support/probing/fake-seller.ts';
import { startService, type TestService } from '../../support/running/running-service.ts';

const BASE_URL = 'http://127.0.0.9';
const CONTACT = 'mailto:security@example.org';

let service: TestService;
/** A service behind a proxy on this machine, which passes on whatever a caller writes. */
let trusting: TestService;

beforeAll(async () => {
  service = await startService({
    door: 'socket',
    settings: { BASE_URL, CONTACT, TRUSTED_PROXIES: '10.0.0.1' },
  });
  trusting = await startService({ door: 'socket', settings: { BASE_URL, TRUSTED_PROXIES: '127.0.0.1' } });
});
afterAll(() => Promise.all([service.close(), trusting.close()]));

/** The public address leads to this service. */
const leadingTo =
  ({ address }: TestService): typeof fetch =>
  (url, sent) =>
    fetch(String(url).replace(BASE_URL, address ?? ''), sent);

const look = (settings: NodeJS.ProcessEnv = {}, behind = service, version = '9.9.9') =>
  examined({ BASE_URL, CONTACT, ...settings }, { fetch: leadingTo(behind), version });

describe('assay doctor on the public address', () => {
  it('is content with a service that is ready and links to itself', async () => {
    const finding = await look();
    expect(finding('service')).toMatchObject({
      status: 'ok',
      says: 'ready: store ok, schema ok, process ok, log ok',
    });
    expect(finding('public address').status).toBe('ok');
    expect(finding('proxy')).toMatchObject({
      status: 'ok',
      says: 'a forged X-Forwarded-For does not count',
    });
    expect(finding('contact')).toMatchObject({ status: 'ok', says: `security.txt names ${CONTACT}` });
    expect(finding('certificate')).toMatchObject({ status: 'off' });
  });

  it('is off without BASE_URL', async () => {
    const finding = await examined({});
    for (const name of ['public address', 'proxy', 'certificate']) {
      expect(finding(name)).toMatchObject({ status: 'off', says: expect.stringContaining('BASE_URL') });
    }
    expect(finding('contact')).toMatchObject({ status: 'off', says: expect.stringContaining('set CONTACT') });
    expect(finding('metrics')).toMatchObject({
      status: 'off',
      says: expect.stringContaining('METRICS_PORT'),
    });
  });

  it('finds that nobody answers there', async () => {
    const finding = await examined({ BASE_URL: 'http://127.0.0.1:2', CONTACT });
    expect(finding('service')).toMatchObject({
      status: 'failure',
      says: 'http://127.0.0.1:2 does not answer: ECONNREFUSED',
    });
    expect(finding('public address').status).toBe('failure');
    expect(finding('proxy').status).toBe('warning');
  });

  it('finds another program there', async () => {
    const other = await serveLoopback({
      handle: async () => ({ kind: 'json', status: 200, body: '{"hello":1}' }),
    });
    try {
      const finding = await examined({ BASE_URL: other.url });
      expect(finding('service')).toMatchObject({
        status: 'failure',
        says: expect.stringContaining('not ours'),
      });
      expect(finding('public address').status).toBe('failure');
    } finally {
      await other.stop();
    }
  });

  it('finds links to another address', async () => {
    const finding = await examined({ BASE_URL: service.address ?? '' });
    expect(finding('public address')).toMatchObject({
      status: 'failure',
      says: expect.stringContaining('makes links to another address'),
    });
  });

  it('warns of a service of another release', async () => {
    expect((await look({}, service, '9.9.8'))('service').status).toBe('warning');
  });

  it('finds another contact in security.txt', async () => {
    expect((await look({ CONTACT: 'mailto:other@example.org' }))('contact').status).toBe('failure');
  });
});

describe('assay doctor on the proxy', () => {
  it('finds that callers can choose their address', async () => {
    expect((await look({ TRUSTED_PROXIES: '10.0.0.1' }, trusting))('proxy')).toMatchObject({
      status: 'failure',
      says: expect.stringContaining('every caller can choose its address'),
    });
  });

  it('does not accuse a proxy when it is asked from a machine that is trusted', async () => {
    expect((await look({ TRUSTED_PROXIES: '127.0.0.0/8' }, trusting))('proxy')).toMatchObject({
      status: 'warning',
      fix: 'run it on another machine',
    });
  });

  it('cannot tell when nothing is free any more', async () => {
    const used = await startService({
      door: 'socket',
      settings: { BASE_URL, TRUSTED_PROXIES: '', FREE_LOOKUPS_PER_ADDRESS: '1' },
    });
    try {
      expect((await look({}, used))('proxy')).toMatchObject({
        status: 'warning',
        says: expect.stringContaining('used up'),
      });
    } finally {
      await used.close();
    }
  });
});

describe('assay doctor on the certificate', () => {
  const LATER = new Date('2026-11-15T12:00:00.000Z');
  const at = async (cert: Certificate, now: Date) => {
    const server = await startSeller(() => {}, cert);
    try {
      const name = 'seller.example.net';
      const authorities = certificate('ca');
      return await certificateVerdict({ host: '127.0.0.1', port: server.port, name, authorities }, now);
    } finally {
      await server.close();
    }
  };

  it.each<[string, Certificate, Date, status: string, says: RegExp]>([
    ['is good for long', 'seller', LATER, 'ok', /^it ends in [0-9]{5} days$/],
    ['ends soon', 'seller', new Date('2119-12-20T00:00:00.000Z'), 'warning', /^it ends in 12 days$/],
    ['has ended', 'expired', LATER, 'failure', /^it ended [0-9]+ days ago$/],
    ['is for another name', 'other-host', LATER, 'failure', /^clients do not trust it/],
    ['is signed by itself', 'self-signed', LATER, 'failure', /^clients do not trust it/],
  ])('that %s', async (_, cert, now, status, says) => {
    expect(await at(cert, now)).toMatchObject({ status, says: expect.stringMatching(says) });
  });

  it('finds that nobody speaks TLS', async () => {
    const finding = await examined({ BASE_URL: 'https://127.0.0.1:1' });
    expect(finding('certificate')).toMatchObject({
      status: 'failure',
      says: 'no TLS at 127.0.0.1: ECONNREFUSED',
    });
  });
});

describe('assay doctor on the metrics', () => {
  const serving = async (server: Server) => {
    const address = await listenOn(server, '127.0.0.1', 0);
    return new URL(address).port;
  };

  it('reads them', async () => {
    const server = createMetricsServer(createMetrics());
    const METRICS_PORT = await serving(server);
    expect((await examined({ METRICS_PORT }))('metrics').status).toBe('ok');
    await stopListening(server);
    expect((await examined({ METRICS_PORT }))('metrics')).toMatchObject({ status: 'failure' });
  });
});
