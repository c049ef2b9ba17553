import type { Endpoints } from '#app/http/api.ts';
import { documentOf } from '#app/http/api-document.ts';
import { loader as account } from './account-calls.ts';
import { loader as accounts } from './accounts-calls.ts';
import { loader as admin } from './admin-calls.ts';
import { loader as automation } from './automation-calls.ts';
import { loader as clicks } from './clicks-calls.ts';
import { loader as feedback } from './feedback-calls.ts';
import { loader as linkedin } from './linkedin-calls.ts';
import { loader as payments } from './payments-calls.ts';
import { loader as posts } from './posts-calls.ts';
import { loader as publicCalls } from './public-calls.ts';
import { loader as support } from './support-calls.ts';
import { loader as tokens } from './tokens-calls.ts';
import { loader as topics } from './topics-calls.ts';
import { loader as visits } from './visits-calls.ts';
import { loader as webhooks } from './webhooks-calls.ts';
import { loader as writing } from './writing-calls.ts';

const FEATURES = [
  accounts,
  tokens,
  account,
  linkedin,
  topics,
  automation,
  posts,
  writing,
  payments,
  webhooks,
  feedback,
  support,
  publicCalls,
  visits,
  clicks,
  admin,
];

let made: ReturnType<typeof documentOf> | undefined;

/** The document of every call, made when it is first asked for. */
export function apiDocument() {
  const calls = Object.assign({}, ...FEATURES.map(({ paths }) => paths)) as Record<string, Endpoints>;
  made ??= documentOf(calls);
  return made;
}
