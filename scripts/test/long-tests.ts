/**
 * `npm test` skips these; `npm run test:all`, which CI runs, includes them. On two cores a run takes an hour with them and
 * some ten minutes without them.
 */
export const LONG_TESTS = [
  // Processes that are killed and stopped, equal times of hundreds of calls, random histories, tables of years.
  'tests/worker/*.test.ts',
  'tests/faults/*.test.ts',
  'tests/{bootstrap,deadline,demo,doctor,image,previous-release,try-writer*}.test.ts',
  'tests/domain/*{-histories,-size,-memory,-speed,-outages}.test.ts',
  'tests/domain/{clock-steps,mail-delivery,post-counts,publishing-together,runs-*}.test.ts',
  // What starts a server for each file, and asks it a thousand times: routes and statements of SECURITY.md. Journeys walk the same pages.
  'tests/{http,security}/*.test.ts',
  // Every screen in every width and theme; answers that are lost, late or cross, and where the focus goes meanwhile.
  'tests/e2e/{screens,unanswered,failures,crossing-answers,late-scripts,settings-elsewhere,at-once,errors}.spec.ts',
  'tests/e2e/{focus,editor,mails,connection,social,passkeys,two-step,account-sessions,otp-boxes}.spec.ts',
  'tests/e2e/{carousel,visits,first-load,calendar-hands,moving,rewriting,alt-text*}.spec.ts',
];
