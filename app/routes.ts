import { index, layout, prefix, type RouteConfig, route } from '@react-router/dev/routes';

export default [
  route('health', 'routes/health.ts'),

  layout('routes/pages.tsx', [
    index('routes/landing/landing.tsx'),

    layout('routes/visitor-layout.tsx', [
      route('login', 'routes/auth/login.tsx'),
      route('signup', 'routes/auth/signup.tsx'),
    ]),
    route('verify-otp', 'routes/auth/verify-otp.tsx'),
    route('verify-otp/resend', 'routes/auth/resend.ts'),
    route('logout', 'routes/auth/logout.ts'),
    route('dashboard', 'routes/home.ts'),

    layout('routes/app-layout.tsx', [
      ...prefix('app', [
        route('dashboard', 'routes/dashboard/dashboard.tsx'),
        route('automation/toggle', 'routes/dashboard/toggle.ts'),
        route('generate', 'routes/dashboard/generate.ts'),
        route('topics', 'routes/topics/topics.tsx'),
        route('topics/:id/delete', 'routes/topics/delete.ts'),
        route('topics/:id/toggle', 'routes/topics/toggle.ts'),
        route('scheduled', 'routes/posts/scheduled.tsx'),
        route('posts', 'routes/posts/history.tsx'),
        route('posts/:id/publish', 'routes/posts/publish.ts'),
        route('posts/:id/approve', 'routes/posts/approve.ts'),
        route('posts/:id/retry', 'routes/posts/retry.ts'),
        route('posts/:id/acknowledge', 'routes/posts/acknowledge.ts'),
        route('posts/:id/delete', 'routes/posts/delete.ts'),
        route('payments', 'routes/payments/payments.tsx'),
        route('payments/submit', 'routes/payments/submit.tsx'),
        route('payments/cancel', 'routes/payments/cancel.ts'),

        layout('routes/admin/admin-only.tsx', [
          route('admin', 'routes/admin/admin.tsx'),
          route('admin/audit', 'routes/admin/audit.tsx'),
          route('admin/payments/:id/verify', 'routes/admin/verify.ts'),
        ]),
      ]),
    ]),

    route('*', 'routes/unknown.ts'),
  ]),

  ...prefix('api/v1', [
    route('auth/signup', 'routes/api/v1/auth-signup.ts'),
    route('auth/login', 'routes/api/v1/auth-login.ts'),
    route('auth/logout', 'routes/api/v1/auth-logout.ts'),
    route('auth/me', 'routes/api/v1/auth-me.ts'),
    route('auth/verify-otp', 'routes/api/v1/auth-verify-otp.ts'),
    route('auth/resend-otp', 'routes/api/v1/auth-resend-otp.ts'),
    route('topics', 'routes/api/v1/topics.ts'),
    route('topics/:id', 'routes/api/v1/topic.ts'),
    route('topics/:id/toggle', 'routes/api/v1/topic-toggle.ts'),
    ...prefix('automation', [
      route('settings', 'routes/api/v1/automation-settings.ts'),
      route('posts', 'routes/api/v1/automation-posts.ts'),
      route('posts/:id', 'routes/api/v1/automation-post.ts'),
      route('posts/:id/:act', 'routes/api/v1/automation-post-action.ts'),
      route('scheduled', 'routes/api/v1/automation-scheduled.ts'),
      route('stats', 'routes/api/v1/automation-stats.ts'),
      route('test-generate', 'routes/api/v1/automation-generate.ts'),
      route('runs/:id', 'routes/api/v1/automation-run.ts'),
    ]),
    route('payment/currencies', 'routes/api/v1/payment-currencies.ts'),
    route('payment/pricing/:currency', 'routes/api/v1/payment-pricing.ts'),
    route('payment/subscription', 'routes/api/v1/payment-subscription.ts'),
    route('payment/history', 'routes/api/v1/payment-history.ts'),
    route('payment/create', 'routes/api/v1/payment-create.ts'),
    route('payment/upgrade-plan', 'routes/api/v1/payment-upgrade-plan.ts'),
    route('payment/submit-proof', 'routes/api/v1/payment-submit-proof.ts'),
    route('payment/cancel', 'routes/api/v1/payment-cancel.ts'),
    route('admin/pending-payments', 'routes/api/v1/admin-pending-payments.ts'),
    route('admin/verify-payment/:id', 'routes/api/v1/admin-verify-payment.ts'),
    route('admin/reject-payment/:id', 'routes/api/v1/admin-reject-payment.ts'),
    route('admin/subscriptions', 'routes/api/v1/admin-subscriptions.ts'),
    route('*', 'routes/api/v1/unknown.ts'),
  ]),
] satisfies RouteConfig;
