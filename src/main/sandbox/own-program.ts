import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** The folder of the package: programs that are run there find `assay/guard`. */
export const PACKAGE = fileURLToPath(new URL('../../../', import.meta.url));
export const PROGRAM = `${PACKAGE}dist/bundle/node/assay.js`;

/** Packages of a buyer, which are not ours to install. */
const OF_BUYERS = ['@x402/evm', '@x402/fetch', 'viem'];

/** Throws with the command that installs what a buyer's program needs. */
export function requireBuyersPackages(): void {
  const { resolve } = createRequire(`${PACKAGE}package.json`);
  const missing = OF_BUYERS.filter((name) => !isThere(() => resolve(`${name}/package.json`)));
  if (missing.length > 0) {
    throw new Error(`the tour needs packages that are not installed: npm install ${missing.join(' ')}`);
  }
}

function isThere(resolve: () => string): boolean {
  try {
    resolve();
    return true;
  } catch (fault) {
    // The package may keep its package.json to itself.
    return fault instanceof Error && 'code' in fault && fault.code === 'ERR_PACKAGE_PATH_NOT_EXPORTED';
  }
}
