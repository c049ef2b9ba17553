import { index, layout, prefix, type RouteConfig, route } from '@react-router/dev/routes';

/** The calls of one feature share a file. */
const calls = (feature: string, paths: string[]) =>
  paths.map((path) => route(path, `routes/api/v1/${feature}-calls.ts`, { id: `routes/api/v1/${path}` }));

export default [
  route('health', 'routes/health.ts'),
  route('ready', 'routes/service-ready.ts'),

  layout('routes/pages.tsx', [
    index('routes/landing/landing.tsx'),

    layout('routes/visitor-layout.tsx', [
      route('login', 'routes/accounts/login.tsx'),
      route('signup', 'routes/accounts/signup.tsx'),
    ]),
    route('verify-otp', 'routes/accounts/verify-otp.tsx'),
    route('verify-otp/resend', 'routes/accounts/resend.ts'),
    route('verify-email', 'routes/accounts/verify-email.tsx'),
    route('forgot-password', 'routes/accounts/forgot-password.tsx'),
    route('reset-password', 'routes/accounts/reset-password.tsx'),
    route('reset-password/resend', 'routes/accounts/resend-reset.ts'),
    route('logout', 'routes/accounts/logout.ts'),
    route('theme', 'routes/choose-theme.ts'),
    route('dashboard', 'routes/home-of-viewer.ts', { id: 'home' }),
    route('app', 'routes/home-of-viewer.ts', { id: 'app-home' }),
    route('auth/linkedin/callback', 'routes/linkedin/callback.tsx'),
    route('approval/:id', 'routes/posts/by-mail.tsx'),
    route('approval/:id/:verb', 'routes/posts/decide.ts'),

    route('*', 'routes/unknown-address.ts'),
  ]),

  layout('routes/app-layout.tsx', [
    layout('routes/app-page.tsx', [
      ...prefix('app', [
        route('dashboard', 'routes/dashboard/dashboard.tsx'),
        route('automation/toggle', 'routes/dashboard/toggle.ts'),
        route('automation/times', 'routes/dashboard/next-times.ts'),
        route('generate', 'routes/dashboard/generate.ts'),
        route('runs/:id/stop', 'routes/dashboard/stop-run.ts'),
        route('topics', 'routes/topics/topics.tsx'),
        route('topics/:id/:verb', 'routes/topics/act.ts'),
        route('voice', 'routes/voice/voice.tsx'),
        route('voice/facts', 'routes/voice/fact-list.tsx'),
        route('voice/interview', 'routes/voice/interview.tsx'),
        route('voice/interview/away', 'routes/voice/put-away.ts'),
        route('voice/:id/:verb', 'routes/voice/act.ts'),
        route('scheduled', 'routes/posts/scheduled.tsx'),
        route('posts', 'routes/posts/post-history.tsx'),
        route('posts.csv', 'routes/posts/export.ts'),
        route('posts/:id', 'routes/posts/find-post.ts'),
        route('posts/:id/versions', 'routes/rewriting/rewriting.tsx'),
        route('posts/:id/versions/:version', 'routes/rewriting/restore.ts'),
        route('posts/:id/:verb', 'routes/posts/act.ts'),
        route('payments', 'routes/payments/payments.tsx'),
        route('payments/cancel', 'routes/payments/cancel.ts'),

        layout('routes/admin/admin-only.tsx', [
          route('admin', 'routes/admin/admin.tsx'),
          route('admin/publishing', 'routes/admin/publishing.tsx'),
          route('admin/publishing/resume', 'routes/admin/resume-publishing.ts'),
          route('admin/writing', 'routes/admin/writing.tsx'),
          route('admin/audit', 'routes/admin/audit-log.tsx'),
          route('admin/payments/:id/verify', 'routes/admin/verify.ts'),
        ]),
        route('linkedin', 'routes/linkedin/linkedin.tsx'),
        route('linkedin/missed', 'routes/linkedin/choose-missed.ts'),
        route('linkedin/:verb', 'routes/linkedin/act.ts'),
      ]),
    ]),
  ]),

  ...prefix('api/v1', [
    ...calls('accounts', [
      'auth/signup',
      'auth/login',
      'auth/logout',
      'auth/me',
      'auth/verify-otp',
      'auth/resend-otp',
      'auth/verify-email/:token',
      'auth/forgot-password',
      'auth/reset-password',
    ]),
    ...calls('linkedin', ['linkedin/connect', 'linkedin/status', 'linkedin/disconnect']),
    ...calls('topics', [
      'topics',
      'topics/:id',
      'topics/:id/toggle',
      'topics/:id/pause',
      'topics/:id/resume',
    ]),
    ...calls('automation', ['automation/settings']),
    ...calls('posts', [
      'automation/posts',
      'automation/posts/:id',
      'automation/posts/:id/acknowledge',
      'automation/posts/:id/:verb',
      'automation/scheduled',
      'automation/stats',
    ]),
    ...calls('writing', ['automation/test-generate', 'automation/runs/:id']),
    ...calls('payments', [
      'payment/currencies',
      'payment/pricing/:currency',
      'payment/subscription',
      'payment/history',
      'payment/create',
      'payment/upgrade-plan',
      'payment/submit-proof',
      'payment/cancel',
      'admin/pending-payments',
      'admin/verify-payment/:id',
      'admin/reject-payment/:id',
      'admin/subscriptions',
    ]),
    route('*', 'routes/api/v1/unknown-call.ts'),
  ]),
] satisfies RouteConfig;
