import { SettingsChange } from '#app/domain/automation/schema.ts';
import { getSettings } from '#app/domain/automation/settings.ts';
import { saveSettings } from '#app/domain/queue/refit.ts';
import { apiRoutes, endpoint } from '#app/http/api.ts';
import { SAYS } from './says-posts.ts';
import { settingsShape } from './shapes.ts';

const handler = apiRoutes({
  '/automation/settings': {
    GET: endpoint('user', null, SAYS.settings, async ({ db, actor }) => ({
      settings: settingsShape(await getSettings(db, actor)),
    })),
    PUT: endpoint('user', SettingsChange, SAYS.saveSettings, async ({ db, actor, input }) => ({
      settings: settingsShape(await saveSettings(db, actor, input)),
    })),
  },
});

export const loader = handler;
export const action = handler;
