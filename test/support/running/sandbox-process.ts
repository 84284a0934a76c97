import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Hex } from 'viem';
import { z } from 'zod';
import { projectFile } from '../../../tools/project-file.ts';

const PROGRAM = projectFile('dist/bundle/node/sandbox.js');
/** Transfer(address,address,uint256) */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

const hex = z.custom<Hex>((text) => typeof text === 'string' && /^0x[0-9a-fA-F]+$/.test(text));
const report = z.object({
  base_url: z.string(),
  rpc_url: z.string(),
  usdc: hex,
  pay_to: hex,
  buyer_keys: z.array(hex),
  sellers: z.record(z.string(), z.string()),
});
const logs = z.object({ result: z.array(z.object({ transactionHash: hex, data: hex })) });

export interface Taking {
  readonly tx: Hex;
  readonly units: bigint;
}

/** The built sandbox as a process of its own, and what its chain says. */
export interface SandboxProcess {
  readonly base: string;
  readonly sellers: Readonly<Record<string, string>>;
  buyerKey(index: number): Hex;
  get(path: string, headers: Readonly<Record<string, string>>): Promise<Response>;
  /** What reached the wallet of the service while this was done. */
  takingsOf<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly taken: readonly Taking[] }>;
  stop(): Promise<void>;
}

export async function startSandboxProcess(): Promise<SandboxProcess> {
  const child = spawn(process.execPath, [PROGRAM, '--port', '0', '--json', '--bare'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const { base_url, rpc_url, usdc, pay_to, buyer_keys, sellers } = report.parse(JSON.parse(String(line)));
  const takings = async (): Promise<readonly Taking[]> => {
    const payee = `0x${pay_to.slice(2).toLowerCase().padStart(64, '0')}`;
    const filter = { address: usdc, topics: [TRANSFER, null, payee], fromBlock: '0x0', toBlock: 'latest' };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getLogs', params: [filter] });
    const answer = await fetch(rpc_url, { method: 'POST', body });
    return logs
      .parse(await answer.json())
      .result.map(({ transactionHash, data }) => ({ tx: transactionHash, units: BigInt(data) }));
  };
  return {
    base: base_url,
    sellers,
    buyerKey(index) {
      const key = buyer_keys[index];
      if (key === undefined) throw new Error('there are not that many buyers');
      return key;
    },
    get: (path, headers) => fetch(`${base_url}${path}`, { headers }),
    async takingsOf(work) {
      const before = (await takings()).length;
      const result = await work();
      return { result, taken: (await takings()).slice(before) };
    },
    async stop() {
      const exited = once(child, 'exit');
      child.kill('SIGINT');
      await exited;
    },
  };
}
