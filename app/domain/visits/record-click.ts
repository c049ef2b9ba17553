import type { Db } from '#app/db/client.ts';
import { isMailKind } from '#app/domain/email/choices.ts';
import { findMailed } from '#app/domain/email/outbox.ts';
import { agentOf } from './agents.ts';
import { pageOf } from './known-pages.ts';

/** The parameters that the links of our mails bear, all of which are taken off the address. */
export const CLICK_MARKS = ['email', 'source', 'campaign', 'ts'];
const OTHER_CAMPAIGN = 'other';

type Click = { email: string; campaign?: string | undefined; page: string; userAgent: string };

/** Writes down that a link of a mail was opened, when the address is one that we mailed and no robot opened it. */
export async function recordClick(db: Db, click: Click, now: Date): Promise<void> {
  const agent = agentOf(click.userAgent);
  const mailed = agent && (await findMailed(db, click.email));
  if (!mailed) return;
  const campaign = click.campaign && isMailKind(click.campaign) ? click.campaign : OTHER_CAMPAIGN;
  const hour = new Date(now);
  hour.setUTCMinutes(0, 0, 0);
  await db
    .insertInto('emailClicks')
    .values({
      ...{ address: mailed.address, userId: mailed.userId, campaign, page: pageOf(click.page) },
      ...{ ...agent, clickedAt: now, hour },
    })
    .onConflict((conflict) => conflict.constraint('email_clicks_once_key').doNothing())
    .execute();
}

/** Forgets the clicks on mails to an address that belong to no account. Those of an account go with it. */
export async function forgetClicksOf(db: Db, address: string): Promise<void> {
  await db.deleteFrom('emailClicks').where('address', '=', address).where('userId', 'is', null).execute();
}
