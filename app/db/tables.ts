import type { ColumnType, Generated } from 'kysely';
import type { AccountTables, CreatedAt, Nullable } from '#app/db/tables/accounts.ts';
import type { ApiTables } from '#app/db/tables/api.ts';
import type { FeedbackTables } from '#app/db/tables/feedback.ts';
import type { LinkedInTables } from '#app/db/tables/linkedin.ts';
import type { PaymentTables } from '#app/db/tables/payments.ts';
import type { PublishingTables } from '#app/db/tables/publishing.ts';
import type { SupportTables } from '#app/db/tables/support.ts';
import type { TopicTables } from '#app/db/tables/topics.ts';
import type { TwoStepTables } from '#app/db/tables/two-step.ts';
import type { VisitTables } from '#app/db/tables/visits.ts';
import type { VoiceTables } from '#app/db/tables/voice.ts';
import type { WritingTables } from '#app/db/tables/writing.ts';

export type { Role } from '#app/db/tables/accounts.ts';
export type { ResumeChoice } from '#app/db/tables/linkedin.ts';
export type { PaymentMethod, PaymentStatus, UpgradeType } from '#app/db/tables/payments.ts';
export type { FactKind } from '#app/db/tables/voice.ts';
export type { ClaimOfPost } from '#app/db/tables/writing.ts';

/**
 * Where a post stands: `pending` waits for its owner's approval; `generated` has it or needs none, and goes out at its time
 * when it has one; `failed` did not go out, or was set aside (`PostFailure` says why).
 */
export type PostStatus = 'generated' | 'pending' | 'published' | 'failed';
export type PublicationState = 'sending' | 'published' | 'refused' | 'not_accepted' | 'unknown' | 'held';
/** Why a post failed. */
export type PostFailure =
  | 'duplicate'
  | 'forbidden'
  | 'unreadable'
  | 'refused_picture'
  | 'too_large'
  | 'too_large_picture'
  | 'no_picture'
  | 'too_long'
  | 'empty'
  | 'refused'
  | 'not_taken'
  | 'too_late'
  | 'not_approved'
  | 'not_wanted'
  | 'skipped'
  | 'unconfirmed';
type Counts = Record<'likes' | 'comments' | 'shares' | 'impressions', Nullable<number>>;

/** Who sees a post on LinkedIn. */
export type Audience = 'PUBLIC' | 'CONNECTIONS';
type Visibility = ColumnType<Audience, Audience | undefined, Audience>;

/** CamelCasePlugin renames the keys inside jsonb values when they are read, but not when they are written. */
export type Database = AccountTables &
  ApiTables &
  TwoStepTables &
  PaymentTables &
  LinkedInTables &
  PublishingTables &
  SupportTables &
  TopicTables &
  VisitTables &
  VoiceTables &
  WritingTables &
  FeedbackTables &
  OtherTables;

type OtherTables = {
  automationSettings: {
    userId: string;
    contentCreationTime: Generated<string>;
    publishTimes: ColumnType<string[], string[] | undefined, string[]>;
    publishDays: ColumnType<string[], string[] | undefined, string[]>;
    daysOff: ColumnType<string[], string[] | undefined, string[]>;
    isEnabled: Generated<boolean>;
    requiresApproval: Generated<boolean>;
    nextRunAt: Nullable<Date>;
  };
  posts: {
    id: Generated<string>;
    userId: string;
    topicId: Nullable<string>;
    runId: Nullable<string>;
    runIndex: Nullable<number>;
    content: string;
    hashtags: ColumnType<string[], string[] | undefined, string[]>;
    imageUrl: Nullable<string>;
    altText: Nullable<string>;
    /** The picture as LinkedIn has it, and the member who uploaded it. */
    imageUrn: Nullable<string>;
    imageAuthorUrn: Nullable<string>;
    /** A calendar day, YYYY-MM-DD. */
    slotDate: Nullable<string>;
    slotNumber: Nullable<number>;
    publishAt: Nullable<Date>;
    /** Of a post without a slot the one that was taken from it last. */
    previousSlotDate: Nullable<string>;
    previousSlotNumber: Nullable<number>;
    editedAt: Nullable<Date>;
    /** How often what it says was changed. */
    revision: Generated<number>;
    approvalMovedAt: Nullable<Date>;
    visibility: Visibility;
    createdAt: CreatedAt;
    deletedAt: Nullable<Date>;
  };
  /** What a post said before, or could say. */
  postVersions: {
    id: Generated<string>;
    postId: string;
    userId: string;
    content: string;
    hashtags: ColumnType<string[], string[] | undefined, string[]>;
    made: ColumnType<Record<string, unknown> | null, string | null, string | null>;
    createdAt: CreatedAt;
  };
  /** Posts that an admin has taken off the start page. */
  landingExclusions: { postId: string; reason: string; excludedBy: Nullable<string>; excludedAt: Date };
  /** Our copies of the pictures that are shown there; null when one could not be made. */
  landingPictures: { postId: string; bytes: Nullable<Buffer>; triedAt: Date };
  engagements: Counts & { postId: string; userId: string; enteredAt: CreatedAt };
  /** Of what is over, kept by triggers. The sums are bigints, so strings. */
  postCounts: {
    userId: string;
    closedBefore: Generated<Date>;
    published: Generated<number>;
    failed: Generated<number>;
    likes: Generated<string>;
    likesTyped: Generated<number>;
    comments: Generated<string>;
    commentsTyped: Generated<number>;
    shares: Generated<string>;
    sharesTyped: Generated<number>;
  };
  /** Of every post: where it stands, and its way out. */
  postSchedules: {
    postId: string;
    userId: string;
    status: ColumnType<PostStatus, PostStatus | undefined, PostStatus>;
    /** What decides what mends it; `reason` is the same in words, which another release may choose anew. */
    failure: Nullable<PostFailure>;
    reason: Nullable<string>;
    isUnconfirmed: Generated<boolean>;
    /** Its owner has changed since what it failed for. */
    issueResolved: Generated<boolean>;
    postedAt: Nullable<Date>;
    /** When it failed last. */
    failedAt: Nullable<Date>;
    networkUrn: Nullable<string>;
    /** As on the post. */
    deletedAt: Nullable<Date>;
    /** Null when it waits for no instant: the post is out, failed, set aside or deleted, or has no slot. */
    dueAt: Nullable<Date>;
    wasDueAt: Nullable<Date>;
    isManual: Generated<boolean>;
    /** It was sent by hand before it was approved: by itself it goes out only when it is. */
    needsApproval: Generated<boolean>;
    approvedAt: Nullable<Date>;
    /** When its owner was last mailed that it waits for their approval, and its time in that mail; null asks anew. */
    approvalRequestedAt: Nullable<Date>;
    approvalRequestedFor: Nullable<Date>;
    /** When its owner approved or skipped it by the link in a mail. */
    decidedByEmailAt: Nullable<Date>;
    heldAt: Nullable<Date>;
    notBefore: Nullable<Date>;
    enqueuedAt: Nullable<Date>;
    /** A bigint, so a string. */
    leaseToken: Nullable<string>;
    leaseUntil: Nullable<Date>;
  };
  publishAttempts: {
    id: Generated<string>;
    postId: string;
    userId: string;
    attempt: number;
    confirmsId: Nullable<string>;
    state: ColumnType<PublicationState, PublicationState | undefined, PublicationState>;
    authorUrn: string;
    /** The escaped text exactly as it is sent. */
    body: string;
    imageUrn: Nullable<string>;
    altText: Nullable<string>;
    visibility: Visibility;
    leaseToken: string;
    startedAt: CreatedAt;
    finishedAt: Nullable<Date>;
    resolvedAt: Nullable<Date>;
    httpStatus: Nullable<number>;
    networkUrn: Nullable<string>;
    explanation: Nullable<string>;
    /** What LinkedIn's support finds the call by. */
    liUuid: Nullable<string>;
    liRequestId: Nullable<string>;
    liFabric: Nullable<string>;
    liPop: Nullable<string>;
    liError: Nullable<string>;
  };
  tickTimes: { name: string; knownSince: CreatedAt; lastAt: Nullable<Date> };
  operatorAlerts: { key: string; message: string; firstSeenAt: CreatedAt; lastSeenAt: CreatedAt };
  mails: {
    id: Generated<string>;
    userId: Nullable<string>;
    toAddress: string;
    kind: string;
    dedupeKey: Nullable<string>;
    dataSealed: Nullable<string>;
    createdAt: CreatedAt;
    sentAt: Nullable<Date>;
    failedAt: Nullable<Date>;
    failure: Nullable<string>;
  };
  emailOptOuts: { userId: string; choice: string };
  auditLog: {
    id: Generated<string>;
    adminId: Nullable<string>;
    action: string;
    subjectId: Nullable<string>;
    detail: ColumnType<Record<string, unknown>, string | undefined, string>;
    network: Nullable<string>;
    createdAt: CreatedAt;
  };
};
