import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { isSignedBy } from '../../adapters/wallet/signed-text.ts';
import { sandboxAccounts } from '../../sandbox/chain/funded-accounts.ts';
import { currentPayee, type PayeeRotation, rotationText } from './payee-rotation.ts';

const { buyers } = sandboxAccounts();
const wallets = buyers.map(({ key }) => privateKeyToAccount(key));
const at = (index: number) => {
  const wallet = wallets[index];
  if (wallet === undefined) throw new Error('there are ten wallets');
  return wallet;
};

async function rotation(from: number, to: number, signer = from, id = 'weather'): Promise<PayeeRotation> {
  const move = { to: at(to).address, signedOn: '2026-11-15', signature: '' };
  const message = rotationText(id, at(from).address, move);
  return { ...move, signature: await at(signer).signMessage({ message }) };
}

const payee = (rotations: readonly PayeeRotation[], payTo: string | null = at(0).address) =>
  currentPayee({ id: 'weather', payTo }, rotations, isSignedBy);

describe('whom a service may be paid to', () => {
  it('is signed as this text', () => {
    expect(rotationText('weather', '0xAB', { to: '0xCD', signedOn: '2026-11-15', signature: '' })).toBe(
      'Assay payee rotation\nservice: weather\nfrom: 0xab\nto: 0xcd\ndate: 2026-11-15',
    );
  });

  it('is the listed payee without a rotation, and nobody without one', async () => {
    expect(await payee([])).toBe(at(0).address);
    expect(await payee([await rotation(0, 1)], null)).toBeNull();
  });

  it('is the end of a chain in which each wallet names the next', async () => {
    expect(await payee([await rotation(0, 1), await rotation(1, 2)])).toBe(at(2).address);
  });

  it.each<[string, () => Promise<readonly PayeeRotation[]>]>([
    ['signed by the new wallet', async () => [await rotation(0, 1, 1)]],
    ['signed by a stranger', async () => [await rotation(0, 1, 5)]],
    ['of another service', async () => [await rotation(0, 1, 0, 'maps')]],
    ['from another wallet than the listed one', async () => [await rotation(3, 1)]],
    ['with another wallet put in', async () => [{ ...(await rotation(0, 1)), to: at(9).address }]],
    ['with another day put in', async () => [{ ...(await rotation(0, 1)), signedOn: '2026-11-16' }]],
    ['without a signature', async () => [{ ...(await rotation(0, 1)), signature: '' }]],
    ['with nonsense for a signature', async () => [{ ...(await rotation(0, 1)), signature: '0x1234' }]],
    ['that comes after a broken one', async () => [await rotation(0, 1, 5), await rotation(1, 2)]],
  ])('stays the listed one after a rotation %s', async (_, rotations) => {
    expect(await payee(await rotations())).toBe(at(0).address);
  });
});
