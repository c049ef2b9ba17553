const DAY_MS = 86_400_000;

type Permission = { expiresAt: Date; renewsItself: boolean };

/** How many days a permission lasts, begun ones included; null when it is renewed by itself. */
export const daysLeft = ({ expiresAt, renewsItself }: Permission, now: Date): number | null =>
  renewsItself ? null : Math.max(0, Math.ceil((expiresAt.getTime() - now.getTime()) / DAY_MS));
