// Who calls: the tokens of a backend and of its players (docs/security.md). A phone is given its own
// token by the backend when its player logs in; the key that signs them never leaves the backend.
import { createPrivateKey, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';

// snippet: token
// Signs tokens with the key of `mahjongctl keys`: {"kid": ..., "pem": ...}.
export class Signer {
  #kid;
  #key;
  #signed = new Map(); // by role and subject: a token is sent with every call, and signed seldom

  constructor(file) {
    const { kid, pem } = JSON.parse(readFileSync(file, 'utf8'));
    this.#kid = kid;
    this.#key = createPrivateKey(pem);
  }

  // A token of ten minutes, signed anew when half of them are over.
  token(role, subject, now = Math.floor(Date.now() / 1000)) {
    const known = this.#signed.get(`${role}/${subject}`);
    if (known && now < known.renew) return known.token;
    const part = (object) => Buffer.from(JSON.stringify(object)).toString('base64url');
    const text = [
      part({ alg: 'ES256', typ: 'JWT', kid: this.#kid }),
      part({ iss: 'mahjong', aud: 'mahjong', sub: subject, role, iat: now, exp: now + 600 }),
    ].join('.');
    const signature = sign('sha256', Buffer.from(text), { key: this.#key, dsaEncoding: 'ieee-p1363' });
    const token = `${text}.${signature.toString('base64url')}`;
    this.#signed.set(`${role}/${subject}`, { token, renew: now + 300 });
    return token;
  }
}
// end
