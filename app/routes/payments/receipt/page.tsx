import { Printer } from 'lucide-react';
import type { ReactNode } from 'react';
import { data, redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { formatMoney } from '#app/domain/payments/money.ts';
import { planLabel, postsADay } from '#app/domain/payments/plan-labels.ts';
import { findPaid, receiptNumber, seller } from '#app/domain/payments/receipt.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatDate, formatMinute } from '#app/domain/platform/dates.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { actorOf } from '#app/http/session/session.ts';
import { Button, ButtonLink } from '#app/ui/form/button.tsx';
import { useHydrated } from '#app/ui/use-hydrated.ts';
import type { Route } from './+types/page.ts';
import receiptStyles from './page.css?url';

/** Browsers name the saved file after the title. */
export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: loaderData ? `Receipt ${loaderData.receipt.number} – Tidepost` : 'Receipt – Tidepost' },
  { name: 'description', content: 'A payment for Tidepost with all that a bookkeeper asks for, to print.' },
];

export async function loader({ context, params }: Route.LoaderArgs) {
  const actor = actorOf(context);
  try {
    const receipt = presentReceipt(await findPaid(db(), actor, params.id), actor);
    return { receipt, under: '/app/payments' };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw data(error.message, { status: error.status });
  }
}

export const action = () => redirect('/app/payments');

export default function Receipt({ loaderData: { receipt } }: Route.ComponentProps) {
  const isHydrated = useHydrated();
  return (
    <>
      <link rel="stylesheet" href={receiptStyles} precedence="page" />
      <div className="receipt-acts mb-4 flex print:hidden flex-wrap items-center justify-between gap-3">
        <ButtonLink to="/app/payments" variant="ghost" size="sm">
          Back to Payment History
        </ButtonLink>
        {isHydrated ? (
          <Button size="sm" onClick={() => print()}>
            <Printer aria-hidden size={16} />
            Print or save as PDF
          </Button>
        ) : (
          <p className="text-sm text-ink-3">Print this page, or save it as PDF, with your browser.</p>
        )}
      </div>
      <article className="card receipt grid gap-8" aria-labelledby="receipt">
        <Head receipt={receipt} />
        <Parties receipt={receipt} />
        <Lines receipt={receipt} />
        <dl className="grid gap-x-8 gap-y-3 sm:grid-cols-2">
          {receipt.facts.map(([label, value]) => (
            <Fact key={label} label={label}>
              {value}
            </Fact>
          ))}
        </dl>
        <p className="text-sm text-ink-3">
          {`Dates are those of ${receipt.zone}. Questions about this payment: ${receipt.seller.email}, with its reference.`}
        </p>
      </article>
    </>
  );
}

type Props = { receipt: PresentedReceipt };

const Head = ({ receipt: { number, issuedOn, seller } }: Props) => (
  <header className="flex flex-wrap items-start justify-between gap-4">
    <div>
      <h1 id="receipt" tabIndex={-1} className="font-display text-2xl font-semibold">
        Receipt
      </h1>
      <p className="mt-1 text-ink-2">
        <span className="font-mono">{number}</span>, issued on {issuedOn}
      </p>
    </div>
    <p className="font-display text-xl font-semibold break-words">{seller.name}</p>
  </header>
);

const Parties = ({ receipt: { seller, payer } }: Props) => (
  <div className="grid gap-6 sm:grid-cols-2">
    <section>
      <h2 className="text-sm text-ink-3">From</h2>
      <p className="font-medium break-words">{seller.name}</p>
      {seller.address.map((line) => (
        <p key={line} className="break-words">
          {line}
        </p>
      ))}
      {seller.taxId && <p className="break-words">{seller.taxId}</p>}
      <p className="break-words">{seller.email}</p>
    </section>
    <section>
      <h2 className="text-sm text-ink-3">Paid by</h2>
      <p className="font-medium break-words">{payer.name}</p>
      <p className="break-words">{payer.email}</p>
    </section>
  </div>
);

const Lines = ({ receipt: { plan, period, price, reduction, amount } }: Props) => (
  <table className="receipt-lines">
    <thead>
      <tr>
        <th scope="col">What was paid for</th>
        <th scope="col">Amount</th>
      </tr>
    </thead>
    <tbody>
      <tr>
        <td>
          <span className="block font-medium">{plan}</span>
          {period && <span className="block text-sm text-ink-2">{period}</span>}
        </td>
        <td>{price}</td>
      </tr>
      {reduction && (
        <tr>
          <td>{reduction.why}</td>
          <td>{reduction.amount}</td>
        </tr>
      )}
    </tbody>
    <tfoot>
      <tr>
        <th scope="row">Paid</th>
        <td>{amount}</td>
      </tr>
    </tfoot>
  </table>
);

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <dt className="text-sm text-ink-3">{label}</dt>
    <dd className="font-medium break-all">{children}</dd>
  </div>
);

type Paid = Awaited<ReturnType<typeof findPaid>>;

/** The reduction of the price: a shorter period, the credit of an upgrade, or the promotion. */
function presentReduction(
  { fullPriceMinor, amountMinor, upgradeType, isProrated }: Paid,
  money: (minor: number) => string,
) {
  const minor = fullPriceMinor - amountMinor;
  if (minor <= 0) return null;
  if (isProrated) return { why: 'Less than a month', amount: `−${money(minor)}` };
  const why =
    upgradeType === 'immediate' ? 'Credit for what was left of the plan before' : 'First month promotion';
  return { why, amount: `−${money(minor)}` };
}

function presentReceipt(payment: Paid, { timeZone }: Actor) {
  const { postsPerDay, startsAt, endsAt, verifiedAt, createdAt } = payment;
  const currency = { code: payment.currencyCode };
  const money = (minor: number) => formatMoney(minor, currency);
  const day = (at: Date) => formatDate(at, timeZone);
  return {
    number: receiptNumber(payment),
    issuedOn: day(verifiedAt),
    seller: seller(),
    payer: { name: payment.payerName, email: payment.payerEmail },
    plan: `${planLabel(postsPerDay)} plan, ${postsADay(postsPerDay)}`,
    period: startsAt && endsAt ? `${day(startsAt)} to ${day(endsAt)}` : null,
    zone: timeZone.replaceAll('_', ' '),
    price: money(payment.fullPriceMinor),
    reduction: presentReduction(payment, money),
    amount: money(payment.amountMinor),
    facts: [
      ['Payment method', payment.method === 'upi' ? 'UPI' : 'PayPal'],
      ['Transaction ID', payment.transactionId],
      ['Reference', payment.reference],
      ['Submitted', formatMinute(createdAt, timeZone)],
      ['Verified', formatMinute(verifiedAt, timeZone)],
    ] as const,
  };
}

type PresentedReceipt = ReturnType<typeof presentReceipt>;
