// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// A wallet that is a contract (ERC-1271): its owner signs, the contract says whether the signature counts.
contract ContractWallet {
    /// The first buyer of the sandbox (funded-accounts.ts).
    address public constant OWNER = 0x65261f309C3C554CD49f58d9a4177BD691fc8D02;

    function isValidSignature(bytes32 hash, bytes calldata signature) external pure returns (bytes4) {
        // One byte more than a plain signature, so that nobody takes it for one.
        if (signature.length != 66) return bytes4(0xffffffff);
        address signer = ecrecover(
            hash,
            uint8(signature[64]),
            bytes32(signature[0:32]),
            bytes32(signature[32:64])
        );
        return signer == OWNER ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
    }
}
