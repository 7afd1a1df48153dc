package e2e

import (
	"html/template"
	"net/http"
)

// loginPath is where the provider's storage sends people.
const loginPath = "/login/username"

// loginPage is where the identity provider asks for a name and a password.
var loginPage = template.Must(template.New("login").Parse(`<!doctype html><html lang="en"><title>Zitadel</title>
<form method="post"><input type="hidden" name="id" value="{{.}}">
<label>Name <input name="name"></label> <label>Password <input name="password" type="password"></label> <button>Sign in</button></form>`))

// serveLogin asks, and goes on to where Waft gets to know who it is.
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
