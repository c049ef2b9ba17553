import { Table } from '#app/ui/components/table.tsx';
import type { EarnedInWords } from './present.ts';

const number = (label: string, cell: (row: EarnedInWords) => string) => ({
  label,
  cell,
  isNumber: true,
});

/** Of what the payments cost, and why less was paid. */
export const SUMS = [
  number('Payments', ({ count }) => count),
  number('Prices', ({ full }) => full),
  number('Promotion', ({ promo }) => promo),
  number('Credit', ({ credit }) => credit),
  { ...number('Received', ({ paid }) => paid), cell: ({ paid }: EarnedInWords) => <Paid>{paid}</Paid> },
];

const Paid = ({ children }: { children: string }) => <span className="font-semibold">{children}</span>;

export const Totals = ({ revenue }: { revenue: EarnedInWords[] }) => (
  <Table
    caption="What was ever received in each currency"
    columns={[{ label: 'Currency', cell: ({ code }: EarnedInWords) => code }, ...SUMS]}
    rows={revenue}
    keyOf={({ code }) => code}
  />
);
