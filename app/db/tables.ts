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
export type { PostClaim } from '#app/db/tables/writing.ts';

/**
 * `pending`: waits for approval. `generated`: approved, or needs no approval; published at its time if it has one.
 * `failed`: not published, or set aside; see `PostFailure`.
 */
export type PostStatus = 'generated' | 'pending' | 'published' | 'failed';
export type AttemptState = 'sending' | 'published' | 'refused' | 'not_accepted' | 'unknown' | 'held';
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

export type Audience = 'PUBLIC' | 'CONNECTIONS';
type Visibility = Generated<Audience>;

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
    publishTimes: Generated<string[]>;
    publishDays: Generated<string[]>;
    daysOff: Generated<string[]>;
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
    hashtags: Generated<string[]>;
    imageUrl: Nullable<string>;
    altText: Nullable<string>;
    /** The image at LinkedIn, and the member who uploaded it. */
    imageUrn: Nullable<string>;
    imageAuthorUrn: Nullable<string>;
    /** A calendar day, YYYY-MM-DD. */
    slotDate: Nullable<string>;
    slotNumber: Nullable<number>;
    publishAt: Nullable<Date>;
    /** The last slot of a post that has none now. */
    previousSlotDate: Nullable<string>;
    previousSlotNumber: Nullable<number>;
    editedAt: Nullable<Date>;
    /** Counts changes of the content. */
    revision: Generated<number>;
    approvalMovedAt: Nullable<Date>;
    visibility: Visibility;
    createdAt: CreatedAt;
    deletedAt: Nullable<Date>;
  };
  /** Earlier and alternative texts of posts. */
  postVersions: {
    id: Generated<string>;
    postId: string;
    userId: string;
    content: string;
    hashtags: Generated<string[]>;
    made: ColumnType<Record<string, unknown> | null, string | null, string | null>;
    createdAt: CreatedAt;
  };
  /** Posts that an admin has excluded from the start page. */
  landingExclusions: { postId: string; reason: string; excludedBy: Nullable<string>; excludedAt: Date };
  /** Copies of images on the start page; null when an image could not be copied. */
  landingPictures: { postId: string; bytes: Nullable<Buffer>; triedAt: Date };
  engagements: Counts & { postId: string; userId: string; enteredAt: CreatedAt };
  /** Maintained by triggers. The sums are bigints. */
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
  postSchedules: {
    postId: string;
    userId: string;
    status: Generated<PostStatus>;
    /** Determines how the user can fix it. `reason` is the same as text, which may change with a release. */
    failure: Nullable<PostFailure>;
    reason: Nullable<string>;
    isUnconfirmed: Generated<boolean>;
    /** The user has fixed the reason of the failure. */
    issueResolved: Generated<boolean>;
    postedAt: Nullable<Date>;
    failedAt: Nullable<Date>;
    networkUrn: Nullable<string>;
    /** The same as on the post. */
    deletedAt: Nullable<Date>;
    /** Null without a due time: published, failed, set aside, deleted or without a slot. */
    dueAt: Nullable<Date>;
    wasDueAt: Nullable<Date>;
    isManual: Generated<boolean>;
    /** It was published manually before its approval: automatic publishing needs the approval. */
    needsApproval: Generated<boolean>;
    approvedAt: Nullable<Date>;
    /**
     * When the user was last mailed a request for approval, and the due time in that mail; null requests it again.
     */
    approvalRequestedAt: Nullable<Date>;
    approvalRequestedFor: Nullable<Date>;
    /** When the user approved or skipped it by a mailed link. */
    decidedByEmailAt: Nullable<Date>;
    heldAt: Nullable<Date>;
    notBefore: Nullable<Date>;
    enqueuedAt: Nullable<Date>;
    /** A bigint. */
    leaseToken: Nullable<string>;
    leaseUntil: Nullable<Date>;
  };
  publishAttempts: {
    id: Generated<string>;
    postId: string;
    userId: string;
    attempt: number;
    confirmsId: Nullable<string>;
    state: Generated<AttemptState>;
    authorUrn: string;
    /** The escaped text as sent. */
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
    /** LinkedIn's support needs these to find the call. */
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
