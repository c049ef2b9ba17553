import type { Connection } from './connection.ts';

export function linkedInStatusShape(connection: Connection | null) {
  if (!connection) return { connected: false, account: null };
  const { name, email, picture, expiresAt, isAlive } = connection;
  const profileData = { name, email, profilePicture: picture };
  return { connected: isAlive, account: { profileData, expiresAt: expiresAt.toISOString() } };
}
