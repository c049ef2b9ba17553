/** Limits of created posts for each UTC day, and the counts of `day`. */
export type Quota = {
  member: number;
  application: number;
  day: string;
  counts: Map<string, number>;
};

/** The limits of "Share on LinkedIn". */
export function createQuota(): Quota {
  return { member: 150, application: 100_000, day: '', counts: new Map() };
}

/** Counts a create, whether it succeeds or not. Returns the name of the limit that is exceeded. */
export function countCreate(
  quota: Quota,
  { sub, clientId }: { sub: string; clientId: string },
  now = new Date(),
): string | null {
  const day = now.toISOString().slice(0, 10);
  if (quota.day !== day) {
    quota.day = day;
    quota.counts.clear();
  }
  const count = (key: string) => {
    const next = (quota.counts.get(key) ?? 0) + 1;
    quota.counts.set(key, next);
    return next;
  };
  const [memberCount, applicationCount] = [count(`member ${sub}`), count(`application ${clientId}`)];
  if (applicationCount > quota.application) return 'APPLICATION DAY';
  return memberCount > quota.member ? 'APPLICATION_AND_MEMBER DAY' : null;
}
