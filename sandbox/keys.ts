import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

export type SigningKey = {
  jwks: { keys: object[] };
  sign(claims: JWTPayload, header?: Record<string, string>): Promise<string>;
};

/** An RS256 key for id tokens, made anew at every start. */
export async function createSigningKey(kid: string): Promise<SigningKey> {
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const jwk = await exportJWK(publicKey);
  return {
    jwks: { keys: [{ ...jwk, kid, alg: 'RS256', use: 'sig' }] },
    sign: (claims, header = {}) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT', ...header })
        .setIssuedAt()
        .setExpirationTime('1h')
        .sign(privateKey),
  };
}
