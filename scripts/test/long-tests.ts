/**
 * `npm test` skips these; `npm run test:all`, which CI runs, includes them. On two cores a run takes an hour with them and
 * some ten minutes without them.
 */
export const LONG_TESTS = [
  // Processes that are killed and stopped, equal times of hundreds of calls, random histories, tables of years.
  'tests/**/*.worker.test.ts',
  'tests/faults/*.test.ts',
  'tests/project/scripts/{bootstrap,demo,doctor,try-writer*}.test.ts',
  'tests/{platform/db/deadline,project/image,project/previous-release}.test.ts',
  'tests/**/{histories,outages,size,speed,*-memory}.domain.test.ts',
  'tests/publishing/{safety/clock-steps,send/batch}.domain.test.ts',
  'tests/{email/delivery,posts/counts,writing/runs/settings-changes}.domain.test.ts',
  // What starts a server for each file, and asks it a thousand times: routes and statements of SECURITY.md. Journeys walk the same pages.
  'tests/**/*.http.test.ts',
  'tests/security/*.test.ts',
  // Every screen in every width and theme; answers that are lost, late or cross, and where the focus goes meanwhile.
  'tests/ui/{screens,lost-responses,failure-messages,hydration,instant-dialogs}.scripts.e2e.ts',
  'tests/ui/{first-load,focus,offline}.scripts.e2e.ts',
  'tests/ui/inline-notices.e2e.ts',
  'tests/automation/settings-*.scripts.e2e.ts',
  'tests/accounts/oauth/sign-in.e2e.ts',
  'tests/accounts/sign-in/sessions.e2e.ts',
  'tests/accounts/two-step/*.e2e.ts',
  'tests/posts/{calendar-drag,editor}.scripts.e2e.ts',
  'tests/{email/templates,landing/carousel,admin/visits/beacon}.scripts.e2e.ts',
  'tests/{publishing/slots/move,writing/rewrite}.e2e.ts',
  'tests/writing/alt-text/*.e2e.ts',
];
