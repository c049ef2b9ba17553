import { z } from 'zod';
import { type Calls, endpoint } from '#app/http/api/endpoint.ts';
import { documentOf } from '#app/http/api/openapi.ts';
import { accountCalls } from './account.ts';
import { accountsCalls } from './accounts.ts';
import { adminCalls } from './admin.ts';
import { automationCalls } from './automation.ts';
import { clickCalls } from './clicks.ts';
import { feedbackCalls } from './feedback.ts';
import { linkedInCalls } from './linkedin.ts';
import { paymentCalls } from './payments.ts';
import { postCalls } from './posts.ts';
import { supportCalls } from './support.ts';
import { tokenCalls } from './tokens.ts';
import { topicCalls } from './topics.ts';
import { visitCalls } from './visits.ts';
import { webhookCalls } from './webhooks.ts';
import { writingCalls } from './writing.ts';

const documentedCalls: Calls = {
  ...accountsCalls,
  ...tokenCalls,
  ...accountCalls,
  ...linkedInCalls,
  ...topicCalls,
  ...automationCalls,
  ...postCalls,
  ...writingCalls,
  ...paymentCalls,
  ...webhookCalls,
  ...feedbackCalls,
  ...supportCalls,
  ...visitCalls,
  ...clickCalls,
  ...adminCalls,
};

let document: ReturnType<typeof documentOf> | undefined;

/** Returns the OpenAPI document of all calls, which is built on first use. */
export function apiDocument() {
  document ??= documentOf(documentedCalls);
  return document;
}

export const apiCalls: Calls = {
  ...documentedCalls,
  '/openapi.json': {
    GET: endpoint({
      summary: 'Returns this document',
      access: 'public',
      response: z.looseObject({}),
      handle: async () => Response.json(apiDocument()),
    }),
  },
};
