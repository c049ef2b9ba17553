import { type Env, env } from '#app/env.ts';

/** Runs `act` while this process is configured in another way. */
export async function withEnv<T>(change: Partial<Env>, act: () => Promise<T>): Promise<T> {
  const configured = { ...env() };
  Object.assign(env(), change);
  return act().finally(() => void Object.assign(env(), configured));
}
