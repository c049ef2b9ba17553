import type { Expectation } from './audit.ts';
import { CRASHES } from './points-crash.ts';
import { DATABASE } from './points-database.ts';
import { NETWORK } from './points-network.ts';
import type { Scene } from './scene.ts';

/** One fault, met by many posts at once. `act` leaves a worker behind that can bring the posts to their end. */
export type Point = {
  name: string;
  what: string;
  isPictured?: boolean;
  slowPictures?: boolean;
  expects: Expectation;
  act(scene: Scene): Promise<unknown>;
};

export const POINTS: Point[] = [...CRASHES, ...NETWORK, ...DATABASE];
