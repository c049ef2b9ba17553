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
    route('*', 'routes/api/v1/unknown.ts'),
  ]),
] satisfies RouteConfig;
