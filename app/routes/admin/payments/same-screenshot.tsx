import { Link } from 'react-router';
import type { PendingPayment } from './present.ts';

/** The same screenshot may have been sent for two payments. */
export const SameScreenshot = ({
  reference,
  payer,
  more,
  to,
}: NonNullable<PendingPayment['sameScreenshot']>) => (
  <>
    The same screenshot came with payment{' '}
    <Link to={to} className="link font-mono whitespace-nowrap">
      {reference}
    </Link>{' '}
    of {payer}
    {more > 0 && `, and with ${more} more ${more === 1 ? 'payment' : 'payments'}`}.
  </>
);
