import { writeBundle } from '../../../core/log/entry-bundle.ts';
import { runOfTree, runTree } from '../../../core/log/run-tree.ts';
import { type LogFile, parseTilePath, TILE_WIDTH, type Tile } from '../../../core/log/tile.ts';
import type { StatementPorts } from '../../../flows/log/statements-in-bundle.ts';
import type { LogReader } from '../../../ports/log/transparency-log.ts';
import type { Routes } from '../../app.ts';
import {
  type Answer,
  answerProblem,
  answerRendered,
  type Rendered,
  rendered,
} from '../../exchange/answer.ts';
import { FOR_A_MINUTE, FOR_EVER, FOR_MOMENTS } from '../../exchange/caching.ts';
import { createGzip } from '../../exchange/create-gzip.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { createRenderedCache } from '../../exchange/rendered-cache.ts';
import { type Busy, createStatementBundles, TOO_MANY_BUNDLES } from './statement-bundles.ts';

export interface LogRouteParts {
  readonly statements: StatementPorts;
  /** The rules files of the package by version: what a statement of that version can be judged again with. */
  readonly rules: ReadonlyMap<string, string>;
  readonly transparencyLog: LogReader;
  /** The policy of a log at this address. */
  readonly logPolicy: (address: string) => Promise<string>;
}

const TEXT = 'text/plain; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';
const BYTES = 'application/octet-stream';
const MODULE = 'text/javascript; charset=utf-8';
/** About a thousand full tiles. */
const KEPT_BYTES = 8_000_000;

/** The log as C2SP tiles: GET /log/..., /log/2/... for a later epoch, /log/run/{id}/... for a run. */
export function logRoutes({ transparencyLog, logPolicy, rules, statements }: LogRouteParts): Routes {
  const kept = createRenderedCache<Rendered | null>({ maxBytes: KEPT_BYTES });
  const gzip = createGzip(KEPT_BYTES);
  const bundles = createStatementBundles(statements);
  const modules = new Map(
    [...rules].map(([version, text]) => [`rules/${version}.mjs`, rendered(text, MODULE, FOR_EVER)]),
  );
  const file = async (tree: string, path: string, exchange: Exchange): Promise<Rendered | Busy | null> => {
    if (path === 'checkpoint') return checkpointOf(transparencyLog, tree);
    const bundle = STATEMENTS.exec(path)?.[1];
    if (bundle !== undefined) {
      const isThere = await covers(transparencyLog, tree, Number(bundle) * TILE_WIDTH + 1);
      return isThere ? bundles(tree, Number(bundle), exchange) : null;
    }
    const run = runOfTree(tree);
    if (run !== null && path === 'statement') return statementOf(transparencyLog, run);
    const asked = parseTilePath(path);
    if (asked === null) return null;
    // The width is part of the name, so what is there never changes.
    return kept(`${tree} ${path}`, async () => {
      if (!(await covers(transparencyLog, tree, leavesOf(asked)))) return null;
      return asked.kind === 'hashes'
        ? tileOf(transparencyLog, tree, asked.tile)
        : bundleOf(transparencyLog, tree, asked);
    });
  };
  return {
    '/log/:id{.+}': {
      async GET(exchange, path) {
        exchange.facts.route = '/log';
        if (path === 'policy') {
          const text = await logPolicy(`${exchange.links.base}/log`);
          return answerRendered(exchange, rendered(text, TEXT, FOR_A_MINUTE));
        }
        const { tree, rest } = placeOf(path);
        const found = modules.get(path) ?? (await file(tree, rest, exchange));
        if (found === null) return notThere(exchange);
        if (found === 'busy') return answerProblem(exchange, TOO_MANY_BUNDLES);
        // Tiles are hashes, which do not compress.
        return answerRendered(exchange, COMPRESSIBLE.test(path) ? await gzip(found, exchange) : found);
      },
    },
  };
}

const COMPRESSIBLE = /(?:^|\/)(?:tile\/entries|statements|rules)\//;
const LATER_EPOCH = /^([1-9][0-9]{0,5})\/(.+)$/;
const RUN = /^run\/([A-Za-z0-9-]{1,64})\/(.+)$/;

function placeOf(path: string): { readonly tree: string; readonly rest: string } {
  const [, run, runPath] = RUN.exec(path) ?? [];
  if (run !== undefined && runPath !== undefined) return { tree: runTree(run), rest: runPath };
  const [, epoch, epochPath] = LATER_EPOCH.exec(path) ?? [];
  // The first epoch has no number in its name.
  if (epoch !== undefined && epochPath !== undefined && epoch !== '1')
    return { tree: epoch, rest: epochPath };
  return { tree: '1', rest: path };
}

const STATEMENTS = /^statements\/(0|[1-9][0-9]{0,9})$/;
/** How large a tree is that has this file. */
function leavesOf(asked: LogFile): number {
  const { level, index, width } = asked.kind === 'hashes' ? asked.tile : { ...asked, level: 0 };
  return (index * TILE_WIDTH + width) * TILE_WIDTH ** level;
}

/** What no published checkpoint covers may still be lost, and caches keep a file for ever. */
async function covers(log: LogReader, tree: string, size: number): Promise<boolean> {
  return size <= ((await log.head(tree))?.published?.size ?? 0);
}

/** Never cached: what is missing now may be there in a second. */
function notThere(exchange: Exchange): Answer {
  return answerProblem(exchange, { code: 'not_found', detail: 'The log has no such file.' });
}

async function checkpointOf(log: LogReader, tree: string): Promise<Rendered | null> {
  const published = (await log.head(tree))?.published ?? null;
  if (published === null) return null;
  // The tree of a run never grows, but a new key signs it, too.
  return rendered(published.note, TEXT, runOfTree(tree) === null ? FOR_MOMENTS : FOR_A_MINUTE);
}

async function statementOf(log: LogReader, run: string): Promise<Rendered | null> {
  const statement = await log.runStatement(run);
  return statement === null ? null : rendered(statement, JSON_TYPE, FOR_EVER);
}

async function tileOf(log: LogReader, tree: string, tile: Tile): Promise<Rendered | null> {
  const bytes = await log.tile(tree, tile);
  return bytes === null ? null : rendered(bytes, BYTES, FOR_EVER);
}

async function bundleOf(
  log: LogReader,
  tree: string,
  { index, width }: { readonly index: number; readonly width: number },
): Promise<Rendered | null> {
  const entries = await log.entries(tree, index * TILE_WIDTH, width);
  if (entries.length < width) return null;
  return rendered(writeBundle(entries.map(({ entry }) => Buffer.from(entry))), BYTES, FOR_EVER);
}
