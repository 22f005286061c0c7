// Wallets as the client knows them: one for Ethereum (EIP-1193), one for Solana, each with a fresh
// key.
import { generateKeyPairSync, sign } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';

const hex = (bytes) => `0x${Buffer.from(bytes).toString('hex')}`;

export function ethereumWallet() {
  const key = secp256k1.utils.randomSecretKey();
  const point = secp256k1.getPublicKey(key, false);
  const address = hex(keccak_256(point.slice(1)).slice(-20));
  const signed = (message) => {
    const text = Buffer.from(message, 'utf8');
    const hash = keccak_256(
      Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${text.length}`), text]),
    );
    const bytes = secp256k1.sign(hash, key, { prehash: false, format: 'recovered' });
    return hex([...bytes.slice(1), 27 + bytes[0]]);
  };
  return {
    address,
    signed,
    on() {},
    removeListener() {},
    async request({ method, params }) {
      if (method === 'eth_requestAccounts') return [address];
      if (method === 'eth_chainId') return '0x1';
      if (method === 'personal_sign') {
        return signed(Buffer.from(params[0].slice(2), 'hex').toString('utf8'));
      }
      throw new Error(`the wallet does not know ${method}`);
    },
  };
}

const base58 = (bytes) => {
  const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
  let number = BigInt(hex(bytes));
  let text = '';
  for (; number > 0n; number /= 58n) text = alphabet[Number(number % 58n)] + text;
  for (const byte of bytes) {
    if (byte !== 0) break;
    text = `1${text}`;
  }
  return text;
};

export function solanaWallet() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const address = base58(Buffer.from(publicKey.export({ format: 'jwk' }).x, 'base64url'));
  return {
    address,
    publicKey: { toBase58: () => address },
    signMessage: async (bytes) => new Uint8Array(sign(null, bytes, privateKey)),
  };
}
