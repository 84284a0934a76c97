import { readFileSync } from 'node:fs';
import { ed25519Signer } from '../../adapters/log/ed25519-signer.ts';
import { keepSeed } from '../../adapters/log/key-file.ts';
import type { Outcome } from '../../cli/exit-code.ts';
import type { Arguments } from '../../cli/read-arguments.ts';
import { untilAborted } from '../../core/concurrency/until-aborted.ts';
import { type NoteKey, noteKeyText } from '../../core/log/note.ts';
import { isKeyName } from '../../core/log/note-format.ts';
import { parseClients } from '../../core/vantage/vantage-files.ts';
import { createVantage } from '../../flows/vantage/create-vantage.ts';
import { secretOf } from '../build/keep-secret.ts';
import { createPublicOutbound } from '../build/outbound.ts';
import { packageVersion } from '../build/runtime.ts';
import { SYSTEM } from '../build/system.ts';
import { type Config, type ConfigReading, readConfig } from '../config/config.ts';
import { listenOn, readHostAndPort, stopListening } from '../serve/listen.ts';
import { vantageClient } from '../vantage/service-vantages.ts';
import { createVantageServer } from '../vantage/vantage-server.ts';
import { faultText, type Output } from './output.ts';
import { stopSignal } from './stop-signal.ts';

const LISTEN = '127.0.0.1:4405';

interface VantageRun {
  readonly stop?: AbortSignal;
  readonly reading?: ConfigReading;
}

/** assay vantage: looks at endpoints for the clients of a file until it is stopped. */
export async function runVantage(
  given: Arguments,
  output: Output,
  { stop = stopSignal(), reading = readConfig() }: VantageRun = {},
): Promise<Outcome> {
  const [keyFile, name, clientsFile] = [given.text('--key'), given.text('--name'), given.text('--clients')];
  if (keyFile === null) return { invalid: '--key is required' };
  if (name === null) return { invalid: '--name is required' };
  if (clientsFile === null) return { invalid: '--clients is required' };
  if (!isKeyName(name)) return { invalid: '--name must not have spaces or a plus' };
  const listenAt = readHostAndPort(given.text('--listen') ?? LISTEN);
  if (listenAt === null) return { invalid: `--listen must be an address with a port, such as ${LISTEN}` };
  if (reading.kind === 'invalid') return output.fail(`invalid setting: ${reading.problem}`);
  try {
    const clients = readClients(clientsFile);
    const signer = ed25519Signer(name, keepSeed(keyFile));
    const baseUrl = reading.config.baseUrl ?? `http://${listenAt.host}:${listenAt.port}`;
    const outbound = { ...reading.config, baseUrl, version: packageVersion(), agent: 'Assay-Vantage' };
    const { prober } = createPublicOutbound(outbound);
    const server = createVantageServer({
      vantage: createVantage({ signer, clients, prober, now: SYSTEM.now, stopwatch: SYSTEM.stopwatch }),
      stopwatch: SYSTEM.stopwatch,
      about: aboutText(name, reading.config),
      // Only its kind: the message of a library may have the words of a caller in it.
      onFault: (fault) => output.note(`assay vantage: internal fault (${kindOf(fault)})`),
    });
    const address = await listenOn(server, listenAt.host, listenAt.port);
    output.print(noteKeyText(signer.key));
    if (reading.config.baseUrl === null)
      output.note('assay vantage: BASE_URL is not set: targets cannot look up who sends requests');
    output.note(`assay vantage: listening on ${address}; clients ${namesOf(clients)}`);
    await untilAborted(stop);
    await stopListening(server);
    return 0;
  } catch (fault) {
    return output.fail(faultText(fault));
  }
}

/** assay vantage-key: the line of this service in the file of a vantage. */
export async function runVantageKey(output: Output): Promise<Outcome> {
  const reading = readConfig();
  if (reading.kind === 'invalid') return output.fail(`invalid setting: ${reading.problem}`);
  const { config } = reading;
  if (config.baseUrl === null)
    output.note('assay vantage-key: BASE_URL is not set: with another one the key has another name');
  output.print(`client ${noteKeyText(vantageClient(config, secretOf(config)).key)}`);
  return 0;
}

function readClients(file: string): readonly NoteKey[] {
  const read = parseClients(clientsText(file));
  if ('fault' in read) throw new Error(`the clients ${file}, line ${read.line}: ${read.fault}`);
  return read.clients;
}

function clientsText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new Error(`cannot read the clients ${file}`, { cause });
  }
}

function namesOf(clients: readonly NoteKey[]): string {
  return clients.map(({ name }) => name).join(', ');
}

function aboutText(name: string, { contact }: Config): string {
  const lines = [
    `${name} is a vantage of Assay: a second point of view on x402 endpoints.`,
    'When a service that it works for checks an endpoint, it sends the same unpaid request once and signs what it saw.',
    'It pays nothing, follows no link, and sends at most 30 requests a minute to a host.',
    contact === null ? 'The operator has given no contact.' : `Contact, also to opt out: ${contact}`,
  ];
  return lines.join('\n');
}

function kindOf(fault: unknown): string {
  return fault instanceof Error ? fault.name : typeof fault;
}
