import {
  AppConfigService,
  AuthenticationService,
  AuthGuard,
  LoginComponent,
  provideAppConfig,
  provideCoreAuth,
  provideI18N,
} from '@alfresco/adf-core';
import { SHOULD_ADD_AUTH_TOKEN } from '@alfresco/adf-core/auth';
import { HttpClient, HttpContext } from '@angular/common/http';
import { Component, inject, signal } from '@angular/core';
import { bootstrapApplication } from '@angular/platform-browser';
import { provideAnimations } from '@angular/platform-browser/animations';
import { provideRouter, RouterOutlet, withHashLocation } from '@angular/router';

@Component({
  template: `<h1>Hello {{ name() }}</h1><button (click)="leave()">Leave</button>`,
})
class Home {
  readonly name = signal('');
  readonly #authentication = inject(AuthenticationService);

  constructor() {
    const host = inject(AppConfigService).get('ecmHost', '');
    inject(HttpClient)
      .get<{ entry: { id: string } }>(
        `${host}/alfresco/api/-default-/public/alfresco/versions/1/people/-me-`,
        {
          context: new HttpContext().set(SHOULD_ADD_AUTH_TOKEN, true),
        },
      )
      .subscribe(({ entry }) => this.name.set(entry.id));
  }

  leave() {
    this.#authentication.logout().subscribe(() => location.assign('/'));
  }
}

@Component({ imports: [LoginComponent], template: '<adf-login successRoute="/" />' })
class Login {}

@Component({ selector: 'app-root', imports: [RouterOutlet], template: '<router-outlet />' })
class Root {}

/** Whether the path is behind a `#`, as in Alfresco's Content App. */
const useHash = document.documentElement.dataset.routing === 'hash';

const routes = [
  { path: 'login', component: Login },
  { path: '', component: Home, canActivate: [AuthGuard] },
];

bootstrapApplication(Root, {
  providers: [
    provideAnimations(),
    ...provideI18N({ assets: [['adf-core', 'assets/adf-core']] }),
    ...provideAppConfig(),
    ...provideCoreAuth({ useHash }),
    useHash ? provideRouter(routes, withHashLocation()) : provideRouter(routes),
  ],
});
