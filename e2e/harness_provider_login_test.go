package e2e

import (
	"html/template"
	"net/http"
)

// loginPath is the path to which the provider's storage redirects a browser that must sign in.
const loginPath = "/login/username"

// loginPage is the page on which the identity provider asks for a name and a password.
var loginPage = template.Must(template.New("login").Parse(`<!doctype html><html lang="en"><title>Zitadel</title>
<form method="post"><input type="hidden" name="id" value="{{.}}">
<label>Name <input name="name"></label> <label>Password <input name="password" type="password"></label> <button>Sign in</button></form>`))

// serveLogin serves the sign-in page. After the sign-in it redirects to the page from which the provider returns to
// Waft.
func (i *identityProvider) serveLogin(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		_ = loginPage.Execute(w, r.URL.Query().Get("authRequestID"))
		return
	}
	id := r.PostFormValue("id")
	if err := i.CheckUsernamePassword(r.PostFormValue("name"), r.PostFormValue("password"), id); err != nil {
		http.Error(w, err.Error(), http.StatusUnauthorized)
		return
	}
	http.Redirect(w, r, i.URL+"/authorize/callback?id="+id, http.StatusSeeOther)
}
