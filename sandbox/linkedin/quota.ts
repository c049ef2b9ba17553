/** How many posts may be created in a day of UTC, and how many were asked for in the day that is counted. */
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

/** Counts one create of a member through an application; a refused one counts too. Answers the limit that is reached. */
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
    const counted = (quota.counts.get(key) ?? 0) + 1;
    quota.counts.set(key, counted);
    return counted;
  };
  const [ofMember, ofApplication] = [count(`member ${sub}`), count(`application ${clientId}`)];
  if (ofApplication > quota.application) return 'APPLICATION DAY';
  return ofMember > quota.member ? 'APPLICATION_AND_MEMBER DAY' : null;
}
