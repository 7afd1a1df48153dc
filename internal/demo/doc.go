// Package demo plays Waft's main job on a running server: a release reaches every
// device, a second one rolls out stage by stage by itself, a third one crashes
// and is taken back. Simulated devices do the asking, and what they saw decides
// whether the play went as it should; the server's word alone is never enough.
//
// The package tells the story through a Narrator and draws nothing itself.
package demo
