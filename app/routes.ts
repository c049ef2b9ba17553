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
      ]),
    ]),

    route('*', 'routes/unknown.ts'),
  ]),

  ...prefix('api/v1', [
    route('topics', 'routes/api/v1/topics.ts'),
    route('topics/:id', 'routes/api/v1/topic.ts'),
    route('topics/:id/toggle', 'routes/api/v1/topic-toggle.ts'),
    route('*', 'routes/api/v1/unknown.ts'),
  ]),
] satisfies RouteConfig;
