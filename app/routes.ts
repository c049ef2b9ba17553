import { index, layout, prefix, type RouteConfig, route } from '@react-router/dev/routes';

export default [
  route('health', 'routes/health.ts'),

  layout('routes/pages.tsx', [
    index('routes/landing/landing.tsx'),

    layout('routes/app-layout.tsx', [
      ...prefix('app', [
        route('topics', 'routes/topics/topics.tsx'),
        route('topics/:id/delete', 'routes/topics/delete.ts'),
        route('topics/:id/toggle', 'routes/topics/toggle.ts'),
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
    route('topics', 'routes/api/v1/topics.ts'),
    route('topics/:id', 'routes/api/v1/topic.ts'),
    route('topics/:id/toggle', 'routes/api/v1/topic-toggle.ts'),
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
