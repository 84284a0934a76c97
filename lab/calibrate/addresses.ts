/** Tokens and payees beside those of the usual entry. The payees are made up. */
export const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';
export const USDC_ON_SOLANA = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
export const SOLANA_PAYEE = '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV';
export const SOLANA_THIEF = '3JxWn5PqTk9vRZ2mYcA7dLhFgUeBs8XoNtM4iVwQyE6K';
export const DAI = '0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb';
export const BRIDGED_USDC = '0xd9aAEc86B65D86f6A7B5B1b0c42FFA531710b6CA';
export const EURC = '0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42';
export const TEST_USDC = '0x036CbD53842c5426634e7929541eC2318f3dCF7e';
