const PLAN_TYPES = ['basic', 'standard', 'premium', 'premium', 'enterprise'] as const;
export type PlanType = (typeof PLAN_TYPES)[number];

export const planType = (postsPerDay: number): PlanType => PLAN_TYPES[postsPerDay - 1]!;

/** "Premium". */
export const planLabel = (postsPerDay: number) => {
  const type = planType(postsPerDay);
  return type[0]!.toUpperCase() + type.slice(1);
};

export const postsADay = (postsPerDay: number) =>
  postsPerDay === 1 ? '1 post a day' : `${postsPerDay} posts a day`;

/** The specification says QR Code for everything other than UPI. */
export const methodLabel = (method: string) => (method === 'upi' ? 'UPI' : 'QR Code');
