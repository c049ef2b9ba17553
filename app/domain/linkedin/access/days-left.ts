const DAY_MS = 86_400_000;

type Permission = { expiresAt: Date; renewsItself: boolean };

/** Remaining days, rounded up; null when the permission is renewed automatically. */
export const daysLeft = ({ expiresAt, renewsItself }: Permission, now: Date): number | null =>
  renewsItself ? null : Math.max(0, Math.ceil((expiresAt.getTime() - now.getTime()) / DAY_MS));
