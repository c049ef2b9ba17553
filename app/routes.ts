import { index, layout, prefix, type RouteConfig, route } from '@react-router/dev/routes';

export default [
  route('health', 'routes/health.ts'),

  layout('routes/pages.tsx', [
    index('routes/landing/landing.tsx'),

    layout('routes/visitor-layout.tsx', [
      route('login', 'routes/accounts/login.tsx'),
      route('signup', 'routes/accounts/signup.tsx'),
    ]),
    route('verify-otp', 'routes/accounts/verify-otp.tsx'),
    route('verify-otp/resend', 'routes/accounts/resend.ts'),
    route('logout', 'routes/accounts/logout.ts'),
    route('dashboard', 'routes/home-of-viewer.ts', { id: 'home' }),
    route('app', 'routes/home-of-viewer.ts', { id: 'app-home' }),
    route('auth/linkedin/callback', 'routes/linkedin/callback.tsx'),

    layout('routes/app-layout.tsx', [
      ...prefix('app', [
        route('dashboard', 'routes/dashboard/dashboard.tsx'),
        route('automation/toggle', 'routes/dashboard/toggle.ts'),
        route('generate', 'routes/dashboard/generate.ts'),
        route('topics', 'routes/topics/topics.tsx'),
        route('topics/:id/:verb', 'routes/topics/act.ts'),
        route('scheduled', 'routes/posts/scheduled.tsx'),
        route('posts', 'routes/posts/post-history.tsx'),
        route('posts/:id/:verb', 'routes/posts/act.ts'),
        route('payments', 'routes/payments/payments.tsx'),
        route('payments/submit', 'routes/payments/submit.tsx'),
        route('payments/cancel', 'routes/payments/cancel.ts'),

        layout('routes/admin/admin-only.tsx', [
          route('admin', 'routes/admin/admin.tsx'),
          route('admin/audit', 'routes/admin/audit-log.tsx'),
          route('admin/payments/:id/verify', 'routes/admin/verify.ts'),
        ]),
        route('linkedin', 'routes/linkedin/linkedin.tsx'),
        route('linkedin/:verb', 'routes/linkedin/act.ts'),
      ]),
    ]),

    route('*', 'routes/unknown-address.ts'),
  ]),

  ...prefix('api/v1', [
    route('auth/signup', 'routes/api/v1/accounts-signup.ts'),
    route('auth/login', 'routes/api/v1/accounts-login.ts'),
    route('auth/logout', 'routes/api/v1/accounts-logout.ts'),
    route('auth/me', 'routes/api/v1/accounts-me.ts'),
    route('auth/verify-otp', 'routes/api/v1/accounts-verify-otp.ts'),
    route('auth/resend-otp', 'routes/api/v1/accounts-resend-otp.ts'),
    route('linkedin/connect', 'routes/api/v1/linkedin-connect.ts'),
    route('linkedin/status', 'routes/api/v1/linkedin-status.ts'),
    route('linkedin/disconnect', 'routes/api/v1/linkedin-disconnect.ts'),
    route('topics', 'routes/api/v1/topics-list.ts'),
    route('topics/:id', 'routes/api/v1/topics-one.ts'),
    route('topics/:id/toggle', 'routes/api/v1/topics-toggle.ts'),
    ...prefix('automation', [
      route('settings', 'routes/api/v1/automation-settings.ts'),
      route('posts', 'routes/api/v1/posts-list.ts'),
      route('posts/:id', 'routes/api/v1/posts-one.ts'),
      route('posts/:id/:verb', 'routes/api/v1/posts-verb.ts'),
      route('scheduled', 'routes/api/v1/posts-scheduled.ts'),
      route('stats', 'routes/api/v1/posts-stats.ts'),
      route('test-generate', 'routes/api/v1/writing-start.ts'),
      route('runs/:id', 'routes/api/v1/writing-run.ts'),
    ]),
    route('payment/currencies', 'routes/api/v1/payments-currencies.ts'),
    route('payment/pricing/:currency', 'routes/api/v1/payments-pricing.ts'),
    route('payment/subscription', 'routes/api/v1/payments-subscription.ts'),
    route('payment/history', 'routes/api/v1/payments-history.ts'),
    route('payment/create', 'routes/api/v1/payments-create.ts'),
    route('payment/upgrade-plan', 'routes/api/v1/payments-upgrade-plan.ts'),
    route('payment/submit-proof', 'routes/api/v1/payments-submit-proof.ts'),
    route('payment/cancel', 'routes/api/v1/payments-cancel.ts'),
    route('admin/pending-payments', 'routes/api/v1/payments-pending.ts'),
    route('admin/verify-payment/:id', 'routes/api/v1/payments-verify.ts'),
    route('admin/reject-payment/:id', 'routes/api/v1/payments-reject.ts'),
    route('admin/subscriptions', 'routes/api/v1/payments-subscriptions.ts'),
    route('*', 'routes/api/v1/unknown-call.ts'),
  ]),
] satisfies RouteConfig;
