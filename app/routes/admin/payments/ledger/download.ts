import { data } from 'react-router';
import { db } from '#app/db/client.ts';
import { exportLedger } from '#app/domain/payments/ledger/ledger.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { download } from '#app/http/download.ts';
import { ledgerOf } from '#app/routes/admin/tabs.tsx';
import type { Route } from './+types/download.ts';

async function* once(text: string) {
  yield text;
}

export async function loader(args: Route.LoaderArgs) {
  const { id } = args.params;
  const text = await exportLedger(db(), id).catch((error: unknown) => {
    throw error instanceof Refusal ? data(`${error.message}.`, { status: error.status }) : error;
  });
  return download(args, ledgerOf(id), {
    what: 'ledger',
    name: `tidepost-ledger-${id.slice(0, 8)}.csv`,
    type: 'text/csv; charset=utf-8',
    lines: once(text),
  });
}
