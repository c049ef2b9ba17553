import { Link } from 'react-router';
import type { PendingPayment } from './present.ts';

type Same = NonNullable<PendingPayment['sameScreenshot']>;

/** One picture may pay for two: who decides looks at the other one. */
export const SameScreenshot = ({ of: { reference, payer, more, to } }: { of: Same }) => (
  <>
    The same screenshot came with payment{' '}
    <Link to={to} className="link font-mono whitespace-nowrap">
      {reference}
    </Link>{' '}
    of {payer}
    {more > 0 && `, and with ${more} more ${more === 1 ? 'payment' : 'payments'}`}.
  </>
);
